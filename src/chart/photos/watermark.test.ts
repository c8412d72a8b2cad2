import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '../../../test/documents/test-images.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { sharedCopyOf } from './shared-copy.ts'

const start = new Date('2026-11-27T15:00:00Z')
let now = start
const server = useServer({}, { now: () => now })

let admin: Client
let provider: Client
let cookies: { provider: string; admin: string }
beforeAll(async () => {
  ;[admin, provider] = await Promise.all([server.as('admin'), server.as('provider')])
  cookies = { provider: await server.signIn('provider'), admin: await server.signIn('admin') }
})
afterEach(async () => {
  now = start
  await admin.practice.changeSettings({ photoWatermark: null })
})

const plain = (background: string, width = 1600, height = 1200) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
async function take(bytes: Buffer): Promise<string> {
  const contactId = await insertContact(server)
  const { id: series } = await provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-11-20' })
  const id = randomUUID()
  const query = new URLSearchParams({ id, view: 'front', takenAt: '2026-11-20T14:30:00Z', name: 'a.jpg' })
  const sent = await server.request(`/api/photo-series/${series}/photos?${query}`, {
    method: 'POST',
    headers: { cookie: cookies.provider },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBe(201)
  return id
}
async function look(id: string, kind: string, cookie = cookies.provider): Promise<Buffer> {
  const response = await server.request(`/api/photos/${id}/${kind}`, { headers: { cookie } })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  return bytes
}
/** The bytes as they are stored, by kind. */
async function stored(id: string): Promise<Map<string, Buffer>> {
  const rows = await server.rows<{ kind: string; key: string }>('select kind, storage_key as key from photo_files where photo_id = $1', [
    id,
  ])
  const read = async (key: string) => buffer((await server.running.runtime.files.get(key))!.bytes)
  return new Map(await Promise.all(rows.map(async ({ kind, key }) => [kind, await read(key)] as const)))
}
/** By how much the brightness of each point differs, 0 to 255. */
async function differences(one: Buffer, other: Buffer): Promise<number[]> {
  const [a, b] = await Promise.all([one, other].map((bytes) => sharp(bytes).greyscale().raw().toBuffer()))
  return [...a!].map((value, place) => Math.abs(value - b![place]!))
}

describe('the mark of the viewer on photos (issue 27)', () => {
  it('is off until an administrator turns it on, and then in the bytes of each copy at screen size, by viewer and minute', async () => {
    const original = await picture('jpeg', { width: 1600, height: 1200 })
    const id = await take(original)
    const files = await stored(id)
    expect((await look(id, 'screen')).equals(files.get('screen')!)).toBe(true)

    await admin.practice.changeSettings({ photoWatermark: true })
    const seen = await look(id, 'screen')
    expect(seen.equals(files.get('screen')!)).toBe(false)
    expect((await look(id, 'screen')).equals(seen)).toBe(true)
    expect((await look(id, 'screen', cookies.admin)).equals(seen)).toBe(false)
    now = new Date(start.getTime() + 60_000)
    expect((await look(id, 'screen')).equals(seen)).toBe(false)
    expect((await look(id, 'thumbnail')).equals(files.get('thumbnail')!)).toBe(true)

    const [before, after] = await Promise.all([files.get('screen')!, seen].map((bytes) => sharp(bytes).metadata()))
    expect([after!.width, after!.height, after!.exif, after!.icc?.equals(before!.icc!)]).toEqual([
      before!.width,
      before!.height,
      undefined,
      true,
    ])
    // What is stored is what was stored, and the original leaves as it was taken.
    const later = await stored(id)
    expect([...files].map(([kind, bytes]) => later.get(kind)?.equals(bytes))).toEqual([true, true, true])
    expect(later.size).toBe(3)
    const taken = await server.request(`/api/photos/${id}/original?purpose=patient`, { headers: { cookie: cookies.provider } })
    expect(Buffer.from(await taken.arrayBuffer()).equals(original)).toBe(true)
  })

  it.each([
    ['white', '#ffffff'],
    ['black', '#000000'],
    ['light skin', '#e8c4ae'],
    ['dark skin', '#5b3a29'],
  ])('is legible on %s, all over the photo, and leaves most of it as it is', async (_, colour) => {
    const id = await take(await plain(colour))
    const clean = await look(id, 'screen')
    await admin.practice.changeSettings({ photoWatermark: true })
    const changed = await differences(await look(id, 'screen'), clean)
    const share = (part: number[]) => part.filter((difference) => difference > 24).length / part.length
    expect(share(changed)).toBeGreaterThan(0.01)
    expect(share(changed)).toBeLessThan(0.2)
    const [width, height] = [1600, 1200]
    for (const [left, top] of [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => [x, y] as const))) {
      const part = changed.filter((_, place) => {
        const [x, y] = [place % width, Math.floor(place / width)]
        return Math.floor((x / width) * 3) === left && Math.floor((y / height) * 3) === top
      })
      expect([left, top, share(part) > 0.003]).toEqual([left, top, true])
    }
  })

  it('is on the copy that staff are shown before it leaves, and not on the copy that leaves', async () => {
    const id = await take(await plain('#e8c4ae'))
    await provider.photos.adjust({ id, version: 1, turn: 5, crop: null, blurs: [] })
    await look(id, 'shared')
    const clean = (await stored(id)).get('shared')!
    await admin.practice.changeSettings({ photoWatermark: true })
    expect((await look(id, 'shared')).equals(clean)).toBe(false)
    const leaving = await sharedCopyOf(server.running.runtime, id)
    expect(leaving && 'bytes' in leaving && (await buffer(leaving.bytes)).equals(clean)).toBe(true)
    expect((await stored(id)).get('shared')!.equals(clean)).toBe(true)
  })

  it('names a viewer by the email address if the font has no letters for the name, and takes any name as text', async () => {
    const id = await take(await plain('#888888', 800, 600))
    await admin.practice.changeSettings({ photoWatermark: true })
    const seenAs = async (name: string) => {
      const account = await server.account({ role: 'provider' })
      await server.rows('update profiles set full_name = $2, email = $3 where id = $1', [
        account.id,
        name,
        `seen-${randomUUID()}@clinic.example`,
      ])
      return look(id, 'screen', account.cookie)
    }
    const [chinese, other, hostile] = [await seenAs('陈美玲'), await seenAs('陈美玲'), await seenAs('</span><b>&"\'')]
    expect(chinese.equals(other)).toBe(false)
    expect(hostile.equals(chinese)).toBe(false)
  })

  it('fits small photos', async () => {
    for (const [width, height] of [
      [160, 120],
      [300, 30],
    ] as const) {
      const id = await take(await plain('#888888', width, height))
      const clean = await look(id, 'screen')
      await admin.practice.changeSettings({ photoWatermark: true })
      const seen = await look(id, 'screen')
      expect([(await sharp(seen).metadata()).width, seen.equals(clean)]).toEqual([width, false])
      await admin.practice.changeSettings({ photoWatermark: null })
    }
  })

  it('is changed by administrators only, and the change is in the audit log', async () => {
    expect(await refusal(provider.practice.changeSettings({ photoWatermark: true }))).toMatchObject({ status: 403 })
    const { set, otherwise } = await admin.practice.changeSettings({ photoWatermark: true })
    expect([set.photoWatermark, otherwise.photoWatermark]).toEqual([true, false])
    const rows = await server.rows(
      "select after from audit_log where kind = 'practice settings' and after ? 'photoWatermark' order by at desc limit 1",
    )
    expect(rows).toEqual([{ after: { photoWatermark: true } }])
  })
})
