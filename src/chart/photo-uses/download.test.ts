import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { picture } from '../../../test/documents/test-images.ts'
import { insertContact } from '../../../test/factories.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Role } from '../../kernel/access/rules.ts'

const now = new Date('2026-11-27T15:00:00Z')
const server = useServer({}, { now: () => now })

let provider: Client
let original: Buffer
beforeAll(async () => {
  provider = await server.as('provider')
  original = await picture('jpeg', { width: 640, height: 480 })
})

const newSeries = (contactId: string) =>
  provider.photos.addSeries({ contactId, shotList: 'face', timePoint: 'pre_op', takenOn: '2026-06-01' })
async function take(
  series: string,
  { view = 'front', bytes = original, name = 'a.jpg', takenAt = '2026-06-01T14:00:00Z' } = {},
): Promise<string> {
  const id = randomUUID()
  const query = new URLSearchParams({ id, view, takenAt, name })
  const sent = await server.request(`/api/photo-series/${series}/photos?${query}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBe(201)
  return id
}
/** A patient with two photos of one view on one day, and one of another. */
async function patientWithPhotos() {
  const contactId = await insertContact(server, { firstName: 'Zoë', lastName: 'Roy' })
  const { id: series } = await newSeries(contactId)
  const other = await picture('jpeg', { width: 400, height: 600 })
  const front = await take(series)
  const again = await take(series, { bytes: other, takenAt: '2026-06-01T14:01:00Z' })
  const profile = await take(series, { view: 'left_profile', takenAt: '2026-06-02T14:00:00Z' })
  return { contactId, series, front, again, profile, other, all: [front, again, profile] }
}

type Sent = { contactId: string; photoIds: readonly string[]; purpose?: string; reason?: unknown }
async function download(
  { contactId, photoIds, purpose = 'patient', reason = 'She asked for her photos' }: Sent,
  cookie?: string,
  signal?: AbortSignal,
) {
  return server.request(`/api/contacts/${contactId}/photos.zip`, {
    method: 'POST',
    headers: { cookie: cookie ?? (await server.signIn('provider')), 'content-type': 'application/json' },
    body: JSON.stringify({ photoIds, purpose, reason }),
    ...(signal && { signal }),
  })
}
const refusalOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { code: string; data?: object }),
})
const filesOf = async (response: Response) => {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return unzip(Buffer.from(await response.arrayBuffer()))
}
const exportsOf = (contactId: string) =>
  server.rows<{ actor_id: string; after: { purpose: string; reason: string; photos: number; ids: string[] } }>(
    "select actor_id, after from audit_log where kind = 'photo' and action = 'exported' and contact_ids = array[$1]::uuid[]",
    [contactId],
  )
const alerts = () =>
  server.rows<{ description: string; assignee: string; created_by: string | null; contact_id: string | null }>(
    `select description, profile_id as assignee, created_by, contact_id from tasks join task_assignees on task_id = id
     where title = 'Check a download of photos' order by created_at, id`,
  )
const consent = (contactId: string, photoIds: readonly string[] | null, given: object = {}) =>
  provider.photoUses.recordConsent({
    contactId,
    purposes: ['referral'],
    photoIds: photoIds && [...photoIds],
    givenOn: '2026-11-27',
    note: 'Email',
    ...given,
  })

describe('a download of many photos (issue 27)', () => {
  it('is a zip of the originals, byte by byte, named by view and day with duplicates numbered', async () => {
    const { contactId, all, other } = await patientWithPhotos()
    const response = await download({ contactId, photoIds: all.toReversed() })
    expect(decodeURIComponent(response.headers.get('content-disposition')!)).toMatch(/Zoë Roy, photos, 2026-11-27\.zip$/)
    const files = await filesOf(response)
    expect([...files.keys()]).toEqual(['Front 2026-06-01.jpg', 'Front 2026-06-01 (2).jpg', 'Left profile 2026-06-02.jpg'])
    expect([...files.values()].map((bytes, place) => bytes.equals(place === 1 ? other : original))).toEqual([true, true, true])
  })

  it('is in the audit log with purpose, reason and photos, and warns each other administrator at once without saying who or whose', async () => {
    const { contactId, front, again } = await patientWithPhotos()
    const second = await server.account({ role: 'admin' })
    const admin = await server.account({ role: 'admin' })
    const before = await alerts()
    await filesOf(await download({ contactId, photoIds: [front, again], reason: '  For her new surgeon ' }, admin.cookie))
    expect(await exportsOf(contactId)).toEqual([
      { actor_id: admin.id, after: { purpose: 'patient', reason: 'For her new surgeon', photos: 2, ids: [front, again] } },
    ])
    const made = (await alerts()).slice(before.length)
    const admins = await server.rows<{ id: string }>("select id from profiles where role = 'admin' and status = 'active'")
    expect(made.map(({ assignee }) => assignee).toSorted()).toEqual(admins.flatMap(({ id }) => (id === admin.id ? [] : [id])).toSorted())
    expect(made.map(({ assignee }) => assignee)).toContain(second.id)
    for (const { description, created_by, contact_id } of made)
      expect([description, created_by, contact_id]).toEqual([
        'Someone downloaded 2 photos of a patient. The audit log says who, of whom and why, under the kind Photo.',
        null,
        null,
      ])
    const due = await server.rows<{ due: boolean }>("select due_at <= $1 as due from tasks where title = 'Check a download of photos'", [
      now,
    ])
    expect(new Set(due.map((task) => task.due))).toEqual(new Set([true]))
  })

  it('warns the only administrator of their own download', async () => {
    const { contactId, front } = await patientWithPhotos()
    const admin = await server.account({ role: 'admin' })
    await server.rows("update profiles set status = 'disabled' where role = 'admin' and id <> $1", [admin.id])
    const before = (await alerts()).length
    await filesOf(await download({ contactId, photoIds: [front] }, admin.cookie))
    await server.rows("update profiles set status = 'active' where role = 'admin'")
    expect([(await alerts()).length - before, (await exportsOf(contactId)).length]).toEqual([1, 1])
  })

  it('needs a consent of each photo for the purpose, names those without one, and gives the others when they are asked for', async () => {
    const { contactId, front, again, profile, all } = await patientWithPhotos()
    const ask = (photoIds: readonly string[], purpose = 'referral') => download({ contactId, photoIds, purpose })
    expect(await refusalOf(await ask(all))).toMatchObject({
      status: 409,
      code: 'NO_CONSENT',
      data: { photos: all.map((id) => ({ id, gap: 'none' })) },
    })
    await consent(contactId, [front, again])
    expect(await refusalOf(await ask(all))).toMatchObject({ status: 409, data: { photos: [{ id: profile, gap: 'other_photos' }] } })
    expect(await exportsOf(contactId)).toEqual([])
    expect((await filesOf(await ask([front, again]))).size).toBe(2)
    expect((await exportsOf(contactId)).map(({ after }) => after.purpose)).toEqual(['referral'])
    expect(await refusalOf(await ask([front], 'research'))).toMatchObject({ status: 409, data: { photos: [{ id: front, gap: 'none' }] } })
    const { consents } = await provider.photoUses.ofContact({ contactId })
    await provider.photoUses.withdrawConsent({ id: consents[0]!.id, on: '2026-11-27', by: 'Zoë' })
    expect(await refusalOf(await ask([front]))).toMatchObject({ status: 409, data: { photos: [{ id: front, gap: 'withdrawn' }] } })
  })

  it('is refused without a recent proof of identity, and leaves no trace', async () => {
    const { contactId, all } = await patientWithPhotos()
    const account = await server.account({ role: 'provider' })
    await server.rows("update sessions set proven_at = now() - interval '5 minutes 1 second' where user_id = $1", [account.id])
    const before = (await alerts()).length
    expect(await refusalOf(await download({ contactId, photoIds: all }, account.cookie))).toMatchObject({
      status: 403,
      code: 'STEP_UP_REQUIRED',
    })
    expect([await exportsOf(contactId), (await alerts()).length]).toEqual([[], before])
  })

  it.each(['sales_rep', 'front_desk', 'billing'] as const)('is refused to the role %s', async (role: Role) => {
    const { contactId, all } = await patientWithPhotos()
    expect(await refusalOf(await download({ contactId, photoIds: all }, await server.signIn(role)))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    })
    expect(await exportsOf(contactId)).toEqual([])
  })

  it('is refused for photos of another patient, deleted photos, too many, none, and without purpose or reason', async () => {
    const { contactId, front, again } = await patientWithPhotos()
    const other = await patientWithPhotos()
    await consent(contactId, null)
    await provider.photos.delete({ id: again })
    const before = (await alerts()).length
    const refused = async (given: Partial<Sent>) => refusalOf(await download({ contactId, photoIds: [front], ...given }))
    const notTheirs = { status: 422, code: 'INVALID_REFERENCE', data: { fields: { photoIds: 'These are not photos of this patient' } } }
    for (const purpose of ['patient', 'referral']) {
      expect(await refused({ purpose, photoIds: [front, other.front] })).toMatchObject(notTheirs)
      expect(await refused({ purpose, photoIds: [front, again] })).toMatchObject(notTheirs)
      expect(await refused({ purpose, photoIds: [randomUUID()] })).toMatchObject(notTheirs)
    }
    const invalid = (fields: object) => ({ status: 422, code: 'INVALID_INPUT', data: { fields } })
    const many = Array.from({ length: 201 }, () => randomUUID())
    expect(await refused({ photoIds: many })).toMatchObject(invalid({ photoIds: 'Choose at most 200 photos at once' }))
    expect(await refused({ photoIds: many.slice(1) })).toMatchObject(notTheirs)
    expect(await refused({ photoIds: [] })).toMatchObject(invalid({ photoIds: 'Choose photos' }))
    expect(await refused({ photoIds: ['x'] })).toMatchObject(invalid({ photoIds: 'Choose photos' }))
    expect(await refused({ purpose: 'mine' })).toMatchObject(invalid({ purpose: 'Choose what the photos are used for' }))
    for (const reason of [null, ' ', 5]) expect((await refused({ reason })).data).toMatchObject({ fields: { reason: expect.any(String) } })
    expect(await refused({ reason: 'a'.repeat(501) })).toMatchObject(invalid({ reason: 'Use at most 500 characters' }))
    expect(await refused({ contactId: randomUUID() })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await refused({ contactId: 'x' })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect([await exportsOf(contactId), (await alerts()).length]).toEqual([[], before])
  })

  it('that the client ends leaves nothing behind: its place is free for the next', async () => {
    const contactId = await insertContact(server)
    const { id: series } = await newSeries(contactId)
    // Noise, which no JPEG makes small: more than connections buffer.
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const large = await sharp({ create: { width: 2600, height: 2000, channels: 3, background: '#000', noise } })
      .jpeg({ quality: 100 })
      .toBuffer()
    expect(large.length).toBeGreaterThan(6_000_000)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await take(series, { bytes: large }))
    const files = async () => (await Array.fromAsync(server.running.runtime.files.list())).length
    const stored = await files()
    const { cookie } = await server.account({ role: 'provider' })
    const aborts = [new AbortController(), new AbortController()]
    for (const { signal } of aborts) {
      const response = await download({ contactId, photoIds: ids }, cookie, signal)
      expect(response.status).toBe(200)
      await response.body!.getReader().read()
    }
    expect((await download({ contactId, photoIds: ids }, cookie)).status).toBe(429)
    for (const abort of aborts) abort.abort()
    const again = await until(async () => {
      const response = await download({ contactId, photoIds: ids.slice(0, 1) }, cookie)
      return response.status === 200 && response
    })
    const zip = await filesOf(again)
    expect([...zip.values()][0]!.equals(large)).toBe(true)
    expect(await files()).toBe(stored)
  })

  it('names photos whose files are missing, and holds the others', async () => {
    const { contactId, front, again } = await patientWithPhotos()
    const [row] = await server.rows<{ key: string }>(
      "select storage_key as key from photo_files where photo_id = $1 and kind = 'original'",
      [front],
    )
    await server.running.runtime.files.delete(row!.key)
    const files = await filesOf(await download({ contactId, photoIds: [front, again] }))
    expect([...files.keys()]).toEqual(['Front 2026-06-01 (2).jpg', 'Missing.txt'])
    expect(String(files.get('Missing.txt'))).toContain('Front 2026-06-01.jpg')
  })

  it('is possible twenty times an hour', async () => {
    const { contactId, front } = await patientWithPhotos()
    const { cookie } = await server.account({ role: 'provider' })
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) {
      const response = await download({ contactId, photoIds: [front] }, cookie)
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})
