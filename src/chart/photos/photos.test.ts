import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { cornersOf, picture } from '../../../test/documents/test-images.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { sweepFiles } from '../../admin/retention/sweep.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Role } from '../../kernel/access/rules.ts'

let now = new Date('2026-11-27T15:00:00Z')
const server = useServer({}, { now: () => now })
const heic = fs.readFileSync(path.join(import.meta.dirname, '../../../test/files/pattern.heic'))

let provider: Client
let contactId: string
let seriesId: string
beforeAll(async () => {
  provider = await server.as('provider')
})
async function startSeries(given: object = {}): Promise<{ contactId: string; seriesId: string }> {
  contactId = await insertContact(server)
  const series = { contactId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-11-20', ...given } as const
  seriesId = (await provider.photos.addSeries(series)).id
  return { contactId, seriesId }
}

type Sent = { id?: string; series?: string; view?: string; takenAt?: string; name?: string; bytes?: Buffer; role?: Role }
async function send({
  id = randomUUID(),
  series = seriesId,
  view = 'front',
  name = 'a.jpg',
  bytes,
  role = 'provider',
  takenAt,
}: Sent = {}) {
  const query = new URLSearchParams({ id, view, name, takenAt: takenAt ?? '2026-11-20T14:30:00Z' })
  const response = await server.request(`/api/photo-series/${series}/photos?${query}`, {
    method: 'POST',
    headers: { cookie: await server.signIn(role) },
    body: new Uint8Array(bytes ?? (await picture('jpeg'))),
  })
  return { status: response.status, body: (await response.json()) as { id: string; code?: string; message?: string } }
}
const open = async (id: string, kind: string, role: Role = 'provider') =>
  server.request(`/api/photos/${id}/${kind}?purpose=patient`, { headers: { cookie: await server.signIn(role) } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const storedFiles = async () => (await Array.fromAsync(server.running.runtime.files.list())).map(({ key }) => key)

describe('taking photos', () => {
  it('keeps the original unchanged, and shows upright copies without location and camera', async () => {
    await startSeries()
    const original = await picture('jpeg', { width: 640, height: 480 })
    const { status, body } = await send({ bytes: original, view: 'left_oblique' })
    expect(status).toBe(201)
    const [series] = await provider.photos.ofContact({ contactId })
    expect(series).toMatchObject({ id: seriesId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-11-20', title: null })
    // Orientation 6 lies on its side.
    expect(series!.photos).toEqual([
      expect.objectContaining({ id: body.id, view: 'left_oblique', width: 480, height: 640, takenAt: '2026-11-20T14:30:00.000Z' }),
    ])

    expect((await bytesOf(await open(body.id, 'original'))).equals(original)).toBe(true)
    const [row] = await server.rows<{ sha256: string }>('select sha256 from photos where id = $1', [body.id])
    expect(row!.sha256).toBe(createHash('sha256').update(original).digest('hex'))
    for (const kind of ['screen', 'thumbnail']) {
      const response = await open(body.id, kind)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      const copy = await bytesOf(response)
      const { exif, xmp, width, height, orientation } = await sharp(copy).metadata()
      expect([exif, xmp, orientation ?? 1, height > width]).toEqual([undefined, undefined, 1, true])
      expect(copy.includes('Refyne')).toBe(false)
      // Upright: what was at the left is at the top.
      expect(await cornersOf(copy)).toEqual(['blue', 'red', 'white', 'green'])
    }
  })

  it('shrinks large photos for the screen and the grid, and never enlarges small ones', async () => {
    await startSeries()
    const large = await send({ bytes: await picture('jpeg', { width: 3000, height: 2400, orientation: 1 }) })
    const small = await send({ bytes: await picture('png', { width: 100, height: 80, orientation: 1 }), name: 'a.png' })
    const sideOf = async (id: string, kind: string) => (await sharp(await bytesOf(await open(id, kind))).metadata()).width
    expect(await Promise.all(['screen', 'thumbnail'].map((kind) => sideOf(large.body.id, kind)))).toEqual([2048, 480])
    expect(await Promise.all(['screen', 'thumbnail'].map((kind) => sideOf(small.body.id, kind)))).toEqual([100, 100])
  })

  it('takes HEICs as phones store them', async () => {
    await startSeries()
    const { status, body } = await send({ bytes: heic, name: 'IMG_1.HEIC' })
    expect(status).toBe(201)
    expect((await bytesOf(await open(body.id, 'original'))).equals(heic)).toBe(true)
    expect(await cornersOf(await bytesOf(await open(body.id, 'screen')))).toEqual(['red', 'green', 'blue', 'white'])
  })

  it('stores a photo once, however often and at the same time it is sent', async () => {
    await startSeries()
    const [id, bytes] = [randomUUID(), await picture('jpeg')]
    const before = (await storedFiles()).length
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ id, bytes })))
    answers.push(await send({ id, bytes }))
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ status, body }) => `${status < 300} ${body.id}`))).toEqual(new Set([`true ${id}`]))
    expect((await provider.photos.ofContact({ contactId }))[0]!.photos).toHaveLength(1)
    expect((await storedFiles()).length - before).toBe(3)
  })

  it('refuses an id that belongs to another patient', async () => {
    await startSeries()
    const { body } = await send()
    await startSeries()
    expect(await send({ id: body.id })).toMatchObject({ status: 409, body: { code: 'ID_TAKEN' } })
    expect((await provider.photos.ofContact({ contactId }))[0]!.photos).toEqual([])
  })

  it.each([
    ['raw files of cameras, with a clear word', { name: 'DSC_0001.NEF' }, 422, 'FILE_TYPE', 'Export the photo as a JPEG'],
    ['files that are no pictures', { bytes: Buffer.from('%PDF-1.4\n%%EOF'), name: 'a.pdf' }, 422, 'FILE_TYPE', 'Send a JPEG, PNG or HEIC'],
    ['pictures that are cut short', { bytes: heic.subarray(0, 400), name: 'a.heic' }, 422, 'FILE_BROKEN', 'damaged'],
    ['empty files', { bytes: Buffer.alloc(0) }, 422, 'FILE_EMPTY', 'empty'],
    ['unknown views', { view: 'from above' }, 422, 'INVALID_INPUT', 'view: Choose a view'],
    ['an id that is none', { id: 'x' }, 422, 'INVALID_INPUT', 'id: Send the id of the photo, a UUID'],
    ['times that are none', { takenAt: 'yesterday' }, 422, 'INVALID_INPUT', 'takenAt: Send when the photo was taken'],
    ['times in the future', { takenAt: '2027-11-27T15:00:00Z' }, 422, 'INVALID_INPUT', 'takenAt: This can’t be in the future'],
    ['series that do not exist', { series: randomUUID() }, 404, 'NOT_FOUND', 'This series does not exist'],
    ['series with a wrong id', { series: 'x' }, 404, 'NOT_FOUND', 'This series does not exist'],
  ] as [string, Sent, number, string, string][])('refuses %s, and stores nothing', async (_, sent, status, code, words) => {
    await startSeries()
    const before = (await storedFiles()).length
    const answer = await send(sent)
    expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(words) } })
    expect([(await provider.photos.ofContact({ contactId }))[0]!.photos, (await storedFiles()).length - before]).toEqual([[], 0])
  })

  it('lets the front desk take photos without seeing those of the chart', async () => {
    await startSeries()
    const { status, body } = await send({ role: 'front_desk', view: 'front' })
    expect(status).toBe(201)
    const desk = await server.as('front_desk')
    expect(await desk.photos.seriesOfContact({ contactId })).toMatchObject([{ id: seriesId, takenViews: ['front'] }])
    expect((await refusal(desk.photos.ofContact({ contactId }))).status).toBe(403)
    expect((await open(body.id, 'thumbnail', 'front_desk')).status).toBe(403)
  })
})

describe('series of photos', () => {
  it('are listed newest first, their photos in the order in which they were taken', async () => {
    await startSeries()
    const older = seriesId
    await send({ view: 'left_profile', takenAt: '2026-11-20T14:32:00Z' })
    await send({ view: 'front', takenAt: '2026-11-20T14:31:00Z' })
    const newer = await provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'week_1', takenOn: '2026-11-27' })
    const listed = await provider.photos.ofContact({ contactId })
    expect(listed.map(({ id, photos }) => [id, photos.map(({ view }) => view)])).toEqual([
      [newer.id, []],
      [older, ['front', 'left_profile']],
    ])
  })

  it('of the kind Other have a name, and no others do', async () => {
    const patient = await insertContact(server)
    const add = (given: object) =>
      provider.photos.addSeries({ contactId: patient, shotList: 'face', takenOn: '2026-11-20', timePoint: 'other', ...given })
    expect(await refusal(add({}))).toMatchObject({ status: 422, data: { fields: { title: 'Enter what this series is' } } })
    expect(await refusal(add({ timePoint: 'pre_op', title: 'Mine' }))).toMatchObject({
      status: 422,
      data: { fields: { title: expect.any(String) } },
    })
    expect(await refusal(add({ title: 'Mine', takenOn: '2026-11-28' }))).toMatchObject({
      data: { fields: { takenOn: 'This can’t be in the future' } },
    })
    expect(await refusal(add({ title: 'Mine', procedureId: randomUUID() }))).toMatchObject({
      status: 422,
      data: { fields: { procedureId: expect.any(String) } },
    })
    expect(await add({ title: 'After the bandage' })).toMatchObject({ title: 'After the bandage', takenViews: [] })
    expect(
      await refusal(provider.photos.addSeries({ contactId: randomUUID(), shotList: 'face', timePoint: 'pre_op', takenOn: '2026-11-20' })),
    ).toMatchObject({ status: 404 })
  })

  it('are changed by one person at a time', async () => {
    await startSeries()
    const change = { id: seriesId, procedureId: null, shotList: 'nose', timePoint: 'week_3', title: null, takenOn: '2026-11-21' } as const
    expect(await provider.photos.changeSeries({ ...change, version: 1 })).toMatchObject({
      version: 2,
      shotList: 'nose',
      timePoint: 'week_3',
    })
    expect(await refusal(provider.photos.changeSeries({ ...change, version: 1 }))).toMatchObject({
      status: 409,
      data: { current: { version: 2 } },
    })
  })

  it('are deleted only while they are empty', async () => {
    await startSeries()
    const { body } = await send()
    await provider.photos.delete({ id: body.id })
    expect(await refusal(provider.photos.deleteSeries({ id: seriesId }))).toMatchObject({ status: 409, code: 'IN_USE' })
    const empty = await provider.photos.addSeries({ contactId, shotList: 'body', timePoint: 'year_1', takenOn: '2026-11-20' })
    expect(await provider.photos.deleteSeries({ id: empty.id })).toEqual({ id: empty.id })
    expect(await refusal(provider.photos.deleteSeries({ id: empty.id }))).toMatchObject({ status: 404 })
  })
})

describe('a photo', () => {
  it('gets another view, moves between series of one patient, and never to another patient', async () => {
    await startSeries()
    const { body } = await send()
    const second = await provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'week_1', takenOn: '2026-11-27' })
    expect(await provider.photos.change({ id: body.id, view: 'right_profile', seriesId: second.id })).toMatchObject({
      view: 'right_profile',
      seriesId: second.id,
    })
    await startSeries()
    expect(await refusal(provider.photos.change({ id: body.id, seriesId }))).toMatchObject({
      status: 422,
      data: { fields: { seriesId: expect.any(String) } },
    })
  })

  it('disappears when deleted, with all its copies, and is restored unchanged', async () => {
    await startSeries()
    const { body } = await send()
    await provider.photos.delete({ id: body.id })
    expect((await provider.photos.ofContact({ contactId }))[0]!.photos).toEqual([])
    for (const kind of ['original', 'screen', 'thumbnail']) expect((await open(body.id, kind)).status).toBe(404)
    expect(await refusal(provider.photos.delete({ id: body.id }))).toMatchObject({ status: 404 })
    expect(await provider.photos.restore({ id: body.id })).toMatchObject({ id: body.id, view: 'front' })
    expect((await open(body.id, 'screen')).status).toBe(200)
  })

  it('stays with all its files when unused files are swept, and loses them 32 days after it was deleted', async () => {
    await startSeries()
    const { body } = await send()
    const files = async () =>
      (await server.rows<{ key: string }>('select storage_key as key from photo_files where photo_id = $1', [body.id])).map(
        ({ key }) => key,
      )
    const keys = await files()
    const start = now
    const sweepAfter = async (days: number) => {
      now = new Date(start.getTime() + days * 24 * 3_600_000)
      await sweepFiles.run(server.running.runtime as unknown as Scope, {}, { last: true })
    }
    await sweepAfter(40)
    expect(await storedFiles()).toEqual(expect.arrayContaining(keys))
    await provider.photos.delete({ id: body.id })
    await sweepAfter(71)
    expect(await storedFiles()).toEqual(expect.arrayContaining(keys))
    await sweepAfter(73)
    await sweepAfter(106)
    expect((await storedFiles()).filter((key) => keys.includes(key))).toEqual([])
    expect(await files()).toEqual([])
    now = start
  })

  it('has each look at it in the audit log, and the original as taken out of the chart', async () => {
    await startSeries()
    const { body } = await send()
    await provider.photos.ofContact({ contactId })
    await bytesOf(await open(body.id, 'screen'))
    await bytesOf(await open(body.id, 'original'))
    const rows = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'photo' and contact_ids = array[$1]::uuid[]",
      [contactId],
    )
    const counted = (action: string) => rows.filter((row) => row.action === action).length
    expect([counted('created'), counted('viewed'), counted('exported')]).toEqual([1, 2, 1])
  })

  it('moves with the patient in a merge, and is in the export of the record', async () => {
    await startSeries()
    const source = contactId
    const original = await picture('jpeg')
    const { body } = await send({ bytes: original })
    const target = await insertContact(server)
    const admin = await server.as('admin')
    const versions = await Promise.all([target, source].map((id) => admin.contacts.get({ id })))
    await admin.contacts.merge({ id: target, sourceId: source, version: versions[0]!.version, sourceVersion: versions[1]!.version })
    expect((await provider.photos.ofContact({ contactId: target }))[0]!.photos.map(({ id }) => id)).toEqual([body.id])
    expect((await open(body.id, 'screen')).status).toBe(200)

    const cookie = await server.signIn('admin')
    const zip = await server.request(`/api/contacts/${target}/whole-record.zip`, { headers: { cookie } })
    const entries = await unzip(await bytesOf(zip))
    expect(entries.get('photos/Front 2026-11-20.jpg')?.equals(original)).toBe(true)
    const record = JSON.parse(entries.get('record.json')!.toString()) as { photos: object[]; photo_series: object[] }
    expect([record.photos, record.photo_series]).toMatchObject([[{ id: body.id, view: 'front' }], [{ id: seriesId }]])
  })
})
