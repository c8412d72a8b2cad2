import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { picture } from '../../test/documents/test-images.ts'
import { insertContact } from '../../test/factories.ts'
import { portalOf } from '../../test/portal.ts'
import { refusal } from '../../test/refusal.ts'
import { type Client, useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'
import type { OwnPhotos } from './photos-contract.ts'

let now = new Date('2026-11-27T15:00:00Z')
const server = useServer({ TRUST_PROXY: 'true' }, { now: () => now })
const portal = portalOf(server)

let provider: Client
let admin: Client
let photo: Buffer
beforeAll(async () => {
  ;[provider, admin] = await Promise.all([server.as('provider'), server.as('admin')])
  photo = await picture('jpeg', { width: 640, height: 480 })
})

/** A patient with one view before and one after treatment, and a session of the portal. */
async function patientWithPhotos() {
  const own = await portal.signIn()
  const take = async (timePoint: 'pre_op' | 'month_3', takenOn: string) => {
    const { id: series } = await provider.photos.addSeries({ contactId: own.id, shotList: 'nose', timePoint, takenOn })
    const id = randomUUID()
    const query = new URLSearchParams({ id, view: 'front', takenAt: `${takenOn}T12:00:00Z`, name: 'a.jpg' })
    const sent = await server.request(`/api/photo-series/${series}/photos?${query}`, {
      method: 'POST',
      headers: { cookie: await server.signIn('provider') },
      body: new Uint8Array(photo),
    })
    expect(sent.status).toBe(201)
    return id
  }
  return { ...own, before: await take('pre_op', '2026-06-01'), after: await take('month_3', '2026-10-01') }
}
type Patient = Awaited<ReturnType<typeof patientWithPhotos>>

const release = ({ id }: { id: string }, photoIds: string[], notify = false) =>
  provider.photoUses.release({ contactId: id, photoIds, notify })
const takeBack = ({ id }: { id: string }, photoIds: string[]) => provider.photoUses.takeBack({ contactId: id, photoIds })

async function seriesOf({ id, token }: { id: string; token: string }): Promise<OwnPhotos['series']> {
  const { body } = await portal.call('patient-photos-fetch', { contactId: id, sessionToken: token })
  return body!.series as OwnPhotos['series']
}
const shownTo = async (patient: Patient) => (await seriesOf(patient)).flatMap(({ photos }) => photos.map(({ id }) => id))
const countOf = async ({ id, token }: Patient) =>
  (await portal.call('patient-home-fetch', { contactId: id, sessionToken: token })).body!.photoCount
const linkOf = async (patient: Patient) => (await seriesOf(patient))[0]!.photos[0]!.fileUrl
const statusOf = async (link: string) => (await server.request(link)).status

describe('a patient’s photos in the portal (issue 27)', () => {
  it('are not there before they are released, by any path', async () => {
    const patient = await patientWithPhotos()
    expect([await shownTo(patient), await countOf(patient)]).toEqual([[], 0])
    await release(patient, [patient.after])
    const link = await linkOf(patient)
    expect(await statusOf(link)).toBe(200)
    // The link of a released photo opens no other one, and no other file.
    expect(await statusOf(link.replace(patient.after, patient.before))).toBe(404)
    for (const kind of ['document', 'receipt', 'consent', 'quote'])
      expect(await statusOf(link.replace('patient-photo-file', `patient-${kind}-file`))).toBe(404)
    for (const kind of ['screen', 'thumbnail', 'original', 'shared'])
      expect(await statusOf(`/api/photos/${patient.after}/${kind}?purpose=patient`)).toBe(401)
    expect([await shownTo(patient), await countOf(patient)]).toEqual([[patient.after], 1])
  })

  it('are shown by series, newest first, as the copy that leaves the chart: cropped, blurred and without metadata', async () => {
    const patient = await patientWithPhotos()
    const bar = { kind: 'bar', x: 0.25, y: 0.25, width: 0.5, height: 0.5, turn: 0 } as const
    const crop = { x: 0, y: 0, width: 1, height: 0.5 }
    await provider.photos.adjust({ id: patient.after, version: 1, turn: 0, crop, blurs: [bar] })
    await release(patient, [patient.before, patient.after])
    const series = await seriesOf(patient)
    expect(series).toMatchObject([
      { shotList: 'nose', timePoint: 'month_3', takenOn: '2026-10-01', photos: [{ id: patient.after, view: 'front' }] },
      { timePoint: 'pre_op', takenOn: '2026-06-01', photos: [{ id: patient.before, view: 'front' }] },
    ])
    const answer = await server.request(series[0]!.photos[0]!.fileUrl)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': expect.stringMatching(/^attachment; filename="Photo 2026-10-01.jpg"/),
    })
    const copy = Buffer.from(await answer.arrayBuffer())
    // Upright: 480 by 640, of which the upper half is shown.
    const small = async (link: string) => {
      const response = await server.request(`${link}&size=small`)
      const found = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      return [found.width, found.height]
    }
    // Only a photo that is shown as it was taken has a small copy.
    expect([await small(series[0]!.photos[0]!.fileUrl), await small(series[1]!.photos[0]!.fileUrl)]).toEqual([
      [480, 320],
      [360, 480],
    ])
    const { width, height, exif, xmp } = await sharp(copy).metadata()
    expect([width, height, exif, xmp]).toEqual([480, 320, undefined, undefined])
    expect(copy.includes('Refyne')).toBe(false)
    const { data } = await sharp(copy).extract({ left: 110, top: 140, width: 4, height: 4 }).raw().toBuffer({ resolveWithObject: true })
    expect(Math.max(...data)).toBeLessThan(20)
  })

  it('are taken back also when one was deleted in the meantime, and stay so when it is restored', async () => {
    const patient = await patientWithPhotos()
    await release(patient, [patient.before, patient.after])
    await provider.photos.delete({ id: patient.before })
    expect((await takeBack(patient, [patient.before, patient.after])).releases).toEqual([])
    await provider.photos.restore({ id: patient.before })
    expect(await shownTo(patient)).toEqual([])
  })

  it('are gone with the next request once they are taken back, also by a link that was open; who and when is kept', async () => {
    const patient = await patientWithPhotos()
    const { releases } = await release(patient, [patient.before, patient.after])
    expect(releases).toMatchObject([
      { photoId: patient.before, releasedAt: now.toISOString() },
      { photoId: patient.after, releasedBy: expect.any(String) },
    ])
    const link = await linkOf(patient)
    expect((await takeBack(patient, [patient.after])).releases.map(({ photoId }) => photoId)).toEqual([patient.before])
    expect([await statusOf(link), await shownTo(patient), await countOf(patient)]).toEqual([404, [patient.before], 1])
    const rows = await server.rows<{ released: boolean; ended: boolean }>(
      'select released_by is not null as released, taken_back_by is not null as ended from photo_releases where photo_id = $1',
      [patient.after],
    )
    expect(rows).toEqual([{ released: true, ended: true }])
    const entries = await server.rows<{ action: string; photos: string[] }>(
      `select action, array(select jsonb_array_elements_text(after->'photoIds')) as photos from audit_log
       where kind = 'photo release' and contact_ids = array[$1]::uuid[] order by id`,
      [patient.id],
    )
    expect(entries).toEqual([
      { action: 'created', photos: expect.arrayContaining([patient.before, patient.after]) },
      { action: 'changed', photos: [patient.after] },
    ])
    await release(patient, [patient.after])
    expect(await shownTo(patient)).toEqual([patient.after, patient.before])
  })

  it('are gone while they are deleted', async () => {
    const patient = await patientWithPhotos()
    await release(patient, [patient.after])
    const link = await linkOf(patient)
    await provider.photos.delete({ id: patient.after })
    expect([await statusOf(link), await shownTo(patient), await countOf(patient)]).toEqual([404, [], 0])
    expect((await provider.photoUses.ofContact({ contactId: patient.id })).releases).toEqual([])
    expect((await refusal(release(patient, [patient.after]))).data.fields).toEqual({ photoIds: 'These are not photos of this patient' })
    await provider.photos.restore({ id: patient.after })
    expect(await shownTo(patient)).toEqual([patient.after])
  })

  it('do not come into another person’s portal with a merge, and are the patient’s again once it is undone', async () => {
    const [target, source] = [await patientWithPhotos(), await patientWithPhotos()]
    await release(target, [target.after])
    await release(source, [source.before, source.after])
    const link = await linkOf(source)
    const versionOf = async (id: string) => (await admin.contacts.get({ id })).version
    const sides = { version: await versionOf(target.id), sourceVersion: await versionOf(source.id) }
    await admin.contacts.merge({ id: target.id, sourceId: source.id, ...sides })
    expect([await statusOf(link), await shownTo(target)]).toEqual([404, [target.after]])
    const { releases } = await release(target, [source.after])
    expect(releases.map(({ photoId }) => photoId)).toEqual([target.after, source.after])
    expect(await shownTo(target)).toHaveLength(2)
    const [merge] = await admin.contacts.merges({ id: target.id })
    await admin.contacts.undoMerge({ id: merge!.id })
    expect(await shownTo(target)).toEqual([target.after])
    const again = await portal.signInAs(source.id)
    expect((await seriesOf(again)).flatMap(({ photos }) => photos.map(({ id }) => id))).toEqual([source.after, source.before])
  })

  it('are no one else’s, also under the database role of the portal', async () => {
    const [own, other] = [await patientWithPhotos(), await patientWithPhotos()]
    await release(own, [own.after])
    await release(other, [other.after])
    expect(await portal.call('patient-photos-fetch', { contactId: other.id, sessionToken: own.token })).toMatchObject({ status: 404 })
    expect(await portal.call('patient-photos-fetch', { contactId: own.id, sessionToken: 'made-up' })).toMatchObject({ status: 401 })
    const denials = await server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'photo' and contact_ids = array[$1::uuid]",
      [own.id],
    )
    expect(denials).toHaveLength(1)
    expect((await refusal(release(own, [other.before]))).data.fields).toEqual({ photoIds: 'These are not photos of this patient' })
    expect((await refusal(takeBack(own, [other.after]))).data.fields).toEqual({ photoIds: 'These are not photos of this patient' })
    expect((await refusal(release({ id: randomUUID() }, [own.after]))).status).toBe(404)
    const [mine, theirs] = [await linkOf(own), await linkOf(other)]
    for (const changed of [
      mine.replace(own.after, other.after),
      mine.replace(/signature=./, 'signature=!'),
      mine.replace(/session=[^&]+/, /session=[^&]+/.exec(theirs)![0]),
      mine.replace(/expires=\d/, 'expires=9'),
    ])
      expect(await statusOf(changed)).toBe(404)
    const { db, env } = server.running.runtime
    const readAs = (query: string) =>
      db.transaction((tx) => asPatient(tx, env, own.id as VerifiedContactId, (patient) => patient.execute(sql.raw(query))))
    expect((await readAs('select id from own_photos')).rows).toEqual([{ id: own.after }])
    expect((await readAs(`select id from own_photos where id = '${other.after}'`)).rows).toEqual([])
    for (const table of ['photos', 'photo_releases', 'photo_series', 'photo_files'])
      await expect(readAs(`select * from ${table}`)).rejects.toThrow('Failed query')
    await portal.call('patient-sign-out', { sessionToken: own.token })
    expect(await statusOf(mine)).toBe(404)
  })

  it('open by links of one minute, and each look of the patient is in the access log', async () => {
    const patient = await patientWithPhotos()
    await release(patient, [patient.after])
    const link = await linkOf(patient)
    expect(await statusOf(link)).toBe(200)
    const views = await server.rows(
      `select 1 from audit_log where kind = 'photo' and action = 'viewed' and actor_role = 'patient' and contact_ids = array[$1]::uuid[]`,
      [patient.id],
    )
    // The list and the photo.
    expect(views).toHaveLength(2)
    now = new Date(now.getTime() + 61_000)
    expect(await statusOf(link)).toBe(404)
  })

  it('are released once, however often and at the same time that is asked for', async () => {
    const patient = await patientWithPhotos()
    await Promise.all(Array.from({ length: 4 }, () => release(patient, [patient.after, patient.before])))
    expect((await provider.photoUses.ofContact({ contactId: patient.id })).releases).toHaveLength(2)
    expect(await countOf(patient)).toBe(2)
  })

  it('are announced by email only if staff choose it, in the patient’s language and without anything about them', async () => {
    const patient = await patientWithPhotos()
    await server.rows("update contacts set preferred_language = 'fr' where id = $1", [patient.id])
    const emails = () => portal.emailsTo(patient.email).filter(({ Subject }) => /photos/i.test(Subject ?? ''))
    await release(patient, [patient.before])
    await release(patient, [patient.after], true)
    const mail = await until(() => emails()[0])
    expect(emails()).toHaveLength(1)
    expect(mail.Subject).toMatch(/^Des photos vous attendent dans votre portail chez /)
    expect(mail.TextBody).toContain('/portal?')
    expect(`${mail.Subject} ${mail.TextBody}`).not.toMatch(/Éloïse|rhino|nez|nose|avant|après l/i)
  })

  it('are not released when the patient cannot be notified as staff wish', async () => {
    const patient = await patientWithPhotos()
    await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [patient.email])
    expect((await refusal(release(patient, [patient.after], true))).data.fields).toEqual({
      notify: 'The patient can’t be notified: an email to this address bounced permanently',
    })
    await server.rows('update contacts set email = null where id = $1', [patient.id])
    expect((await refusal(release(patient, [patient.after], true))).data.fields).toEqual({
      notify: 'This patient has no email address. Without one, the portal can’t be opened.',
    })
    expect(await shownTo(patient)).toEqual([])
  })

  it('are released and taken back by providers and administrators only', async () => {
    const patient = await patientWithPhotos()
    const input = { contactId: patient.id, photoIds: [patient.after] }
    for (const role of ['front_desk', 'sales_rep', 'billing'] as const) {
      const client = await server.as(role)
      const calls = [
        () => client.photoUses.release(input),
        () => client.photoUses.takeBack(input),
        () => client.photoUses.ofContact({ contactId: patient.id }),
      ]
      for (const call of calls) expect((await refusal(call())).code).toBe('FORBIDDEN')
    }
    const { token } = await admin.apiKeys.create({
      name: 'All',
      scopes: ['contacts:read', 'documents:read', 'gallery:read'],
      days: 1,
    })
    for (const path of ['photo-releases', 'photo-releases/take-back']) {
      const answer = await server.request(`/api/contacts/${patient.id}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ photoIds: [patient.after] }),
      })
      expect(answer.status).toBe(403)
    }
    expect(await shownTo(patient)).toEqual([])
    await admin.photoUses.release(input)
    expect(await shownTo(patient)).toEqual([patient.after])
    const none = await refusal(provider.photoUses.release({ contactId: await insertContact(server), photoIds: [] }))
    expect(none.data.fields).toEqual({ photoIds: 'Choose photos' })
  })
})
