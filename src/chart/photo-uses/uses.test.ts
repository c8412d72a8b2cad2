import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { publishConsent } from '../../../test/chart/consent-forms.ts'
import { picture } from '../../../test/documents/test-images.ts'
import { insertContact } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { pdf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Role } from '../../kernel/access/rules.ts'
import type { Scope } from '../../kernel/scope.ts'
import { endExpiredUses } from './jobs.ts'
import type { Purpose } from './rules.ts'

let now = new Date('2026-11-27T15:00:00Z')
const server = useServer({}, { now: () => now })
const today = '2026-11-27'
afterEach(() => {
  now = new Date('2026-11-27T15:00:00Z')
})

let admin: Client
let provider: Client
let sales: Client
let templateId: string
let photo: Buffer
beforeAll(async () => {
  ;[admin, provider, sales] = await Promise.all([server.as('admin'), server.as('provider'), server.as('sales_rep')])
  const scopes = ['chart', 'consult_room', 'website', 'social_media'] as const
  templateId = (await publishConsent(admin, { use: 'photos', scopes: [...scopes], intro: null })).id
  photo = await picture('jpeg')
})

interface Patient {
  contactId: string
  before: string
  after: string
}

/** A patient with one view before and one after treatment. */
async function treated({ technique = null }: { technique?: string | null } = {}): Promise<Patient> {
  const contactId = await insertContact(server, { firstName: 'Zoë', lastName: `Roy ${randomUUID()}` })
  await server.rows("update contacts set date_of_birth = '1990-05-05' where id = $1", [contactId])
  const take = async (timePoint: 'pre_op' | 'month_3', takenOn: string) => {
    const { id: series } = await provider.photos.addSeries({ contactId, shotList: 'nose', timePoint, takenOn, technique })
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
  return { contactId, before: await take('pre_op', '2026-06-01'), after: await take('month_3', '2026-10-01') }
}

/** A consent form that was signed on paper for some uses. */
async function signed(
  { contactId }: Patient,
  scopes: readonly ('chart' | 'consult_room' | 'website' | 'social_media')[],
  signedOn = today,
) {
  const uploaded = await server.request(`/api/contacts/${contactId}/documents?name=scan.pdf&type=consent&share=false`, {
    method: 'POST',
    headers: { cookie: await server.signIn('front_desk') },
    body: new Uint8Array(pdf()),
  })
  const { id: documentId } = (await uploaded.json()) as { id: string }
  return provider.consentForms.recordPaper({
    contactId,
    templateId,
    versionNumber: 1,
    surgeryId: null,
    documentId,
    signedOn,
    scopes: [...scopes],
  })
}

const endExpired = () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'job', address: null } }
  return endExpiredUses.run(scope as unknown as Scope, {}, { last: true })
}
const both = ({ before, after }: Patient) => [before, after]
const get = async (path: string, role: Role | null = null, headers: Record<string, string> = {}) =>
  server.request(path, { headers: role ? { cookie: await server.signIn(role), ...headers } : headers })
const gapOf = (error: { code: string; data?: unknown }) =>
  error.code === 'NO_CONSENT' ? [...new Set((error.data as { photos: { gap: string }[] }).photos.map(({ gap }) => gap))] : error.code

describe('photos outside the chart (issue 27)', () => {
  it('are refused without a consent to that use, and say what is missing', async () => {
    const patient = await treated()
    const { contactId } = patient
    const begin = (purpose: 'consult_room' | 'website') =>
      provider.photoUses.begin({ contactId, photoIds: both(patient), purpose, place: null })
    expect(gapOf(await refusal(begin('consult_room')))).toEqual(['none'])
    await signed(patient, ['chart', 'website'], '2026-08-01')
    expect(gapOf(await refusal(begin('consult_room')))).toEqual(['none'])
    expect(gapOf(await refusal(begin('website')))).toEqual(['before_treatment'])
    const other = await treated()
    await provider.photoUses.recordConsent({
      contactId,
      purposes: ['consult_room'],
      photoIds: [patient.before],
      givenOn: today,
      note: 'Email',
    })
    expect(gapOf(await refusal(begin('consult_room')))).toEqual(['other_photos'])
    const foreign = provider.photoUses.begin({ contactId, photoIds: [other.before], purpose: 'consult_room', place: null })
    expect((await refusal(foreign)).data.fields).toEqual({ photoIds: 'These are not photos of this patient' })
    expect((await provider.photoUses.ofContact({ contactId })).uses).toEqual([])
  })

  it('show in the gallery of the consult room and in the website’s feed while the consent lasts, without names', async () => {
    const patient = await treated({ technique: 'Open' })
    const { contactId } = patient
    const consent = await signed(patient, ['consult_room', 'website'])
    for (const purpose of ['consult_room', 'website'] as const)
      await provider.photoUses.begin({ contactId, photoIds: both(patient), purpose, place: null })
    const { token } = await admin.apiKeys.create({ name: 'Website', scopes: ['gallery:read'], days: 30 })
    const feed = async () => {
      const answer = await get('/api/gallery?technique=open&ageBand=30%E2%80%9339', null, { authorization: `Bearer ${token}` })
      return { status: answer.status, pairs: (await answer.json()) as { before: { image: string }; after: { image: string } }[] }
    }
    const consult = () => sales.consultGallery.list({ technique: 'open' })
    const [pair] = await consult()
    expect(pair).toMatchObject({
      technique: 'Open',
      ageBand: '30–39',
      view: 'front',
      before: { timePoint: 'pre_op' },
      after: { timePoint: 'month_3' },
    })
    const { status, pairs } = await feed()
    expect([status, pairs.length]).toEqual([200, 1])
    expect(JSON.stringify([pair, pairs])).not.toMatch(new RegExp(`Roy|Zoë|1990|${contactId}|${patient.before}`))
    const images = [pair!.before.image, pairs[0]!.after.image].map((address) => address.replace(/^https?:\/\/[^/]+/, ''))
    expect((await get(images[0]!, 'sales_rep')).headers.get('content-type')).toBe('image/jpeg')
    const published = await get(images[1]!)
    expect([published.status, published.headers.get('cache-control')]).toEqual([200, 'public, max-age=30'])
    // The address of one does not open the other.
    expect((await get(images[0]!.replace('consult-gallery', 'gallery'))).status).toBe(404)
    expect((await get(images[0]!)).status).toBe(401)

    await provider.consentForms.withdraw({ id: consent.id, on: today, by: 'Zoë, by phone', scopes: ['website'] })
    expect([(await feed()).pairs, (await get(images[1]!)).status, (await consult()).length]).toEqual([[], 404, 1])
    await provider.consentForms.withdraw({ id: consent.id, on: today, by: 'Zoë, by phone' })
    expect([await consult(), (await get(images[0]!, 'sales_rep')).status]).toEqual([[], 404])
    const { uses, consents } = await provider.photoUses.ofContact({ contactId })
    expect(uses.map(({ isLive, endReason }) => [isLive, endReason])).toEqual(Array.from({ length: 4 }, () => [false, 'withdrawn']))
    expect(consents.every(({ isWithdrawn }) => isWithdrawn)).toBe(true)
  })

  it('end with a consent that was recorded apart, on its last day or when it is withdrawn', async () => {
    const patient = await treated({ technique: 'Expiring' })
    const { contactId } = patient
    const record = (part: object) =>
      provider.photoUses.recordConsent({ contactId, purposes: ['consult_room'], photoIds: null, givenOn: today, note: 'Email', ...part })
    expect((await refusal(record({ givenOn: '2026-11-28' }))).data.fields).toEqual({ givenOn: 'This day is in the future' })
    expect((await refusal(record({ expiresOn: '2026-11-26' }))).data.fields).toEqual({ expiresOn: 'This day has passed' })
    expect((await refusal(record({ note: ' ' }))).data.fields).toEqual({ note: 'Enter how the consent was given' })
    const { consents } = await record({ expiresOn: '2026-11-30' })
    await provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null })
    const shown = async () => (await sales.consultGallery.list({ technique: 'expiring' })).length
    expect(await shown()).toBe(1)
    now = new Date('2026-12-01T15:00:00Z')
    expect(await shown()).toBe(0)
    now = new Date('2026-11-27T15:00:00Z')
    const { id } = consents[0]!
    const withdraw = (on: string) => provider.photoUses.withdrawConsent({ id, on, by: 'Zoë' })
    expect((await refusal(withdraw('2026-11-26'))).data.fields).toEqual({ on: 'It was not given yet on this day' })
    expect((await withdraw(today)).uses.map(({ endReason }) => endReason)).toEqual(['withdrawn', 'withdrawn'])
    expect(await shown()).toBe(0)
    expect(
      gapOf(await refusal(provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null }))),
    ).toEqual(['withdrawn'])
  })

  it('are in use again under a new consent once the earlier one has expired', async () => {
    const patient = await treated({ technique: 'Renewed' })
    const { contactId } = patient
    const record = (expiresOn: string | null) =>
      provider.photoUses.recordConsent({ contactId, purposes: ['consult_room'], photoIds: null, givenOn: today, expiresOn, note: 'Email' })
    const begin = () => provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null })
    const shown = async () => (await sales.consultGallery.list({ technique: 'renewed' })).length
    await record(today)
    await begin()
    now = new Date('2026-11-28T15:00:00Z')
    expect([await shown(), gapOf(await refusal(begin()))]).toEqual([0, ['expired']])
    await record(null)
    expect((await begin()).uses.map(({ isLive }) => isLive)).toEqual([true, true])
    expect(await shown()).toBe(1)
    now = new Date('2026-11-27T15:00:00Z')
  })

  it('are not shown under the consent of another patient, whose merge was undone', async () => {
    const [target, source] = [await treated({ technique: 'Namesake' }), await treated({ technique: 'Namesake' })]
    await signed(target, ['consult_room'])
    const versionOf = async (id: string) => (await admin.contacts.get({ id })).version
    const sides = { version: await versionOf(target.contactId), sourceVersion: await versionOf(source.contactId) }
    await admin.contacts.merge({ id: target.contactId, sourceId: source.contactId, ...sides })
    await provider.photoUses.begin({ contactId: target.contactId, photoIds: both(source), purpose: 'consult_room', place: null })
    expect(await sales.consultGallery.list({ technique: 'namesake' })).toHaveLength(1)
    const [merge] = await admin.contacts.merges({ id: target.contactId })
    await admin.contacts.undoMerge({ id: merge!.id })
    expect(await sales.consultGallery.list({ technique: 'namesake' })).toEqual([])
    expect((await provider.photoUses.ofContact({ contactId: source.contactId })).uses.map(({ isLive }) => isLive)).toEqual([false, false])
  })

  it('are listed with their place, which becomes a task when the patient withdraws', async () => {
    const patient = await treated()
    const { contactId } = patient
    const consent = await signed(patient, ['social_media'])
    const begin = (place: string | null) => provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'social_media', place })
    expect((await refusal(begin(null))).data.fields).toEqual({ place: 'Enter where the photos are' })
    await begin('Instagram, November 27')
    await provider.consentForms.withdraw({ id: consent.id, on: today, by: 'Zoë' })
    const tasks = await server.rows<{ title: string }>('select title from tasks where contact_id = $1', [contactId])
    expect(tasks.map(({ title }) => title)).toEqual(['A patient has withdrawn a consent: remove what was published'])
    const { uses } = await provider.photoUses.ofContact({ contactId })
    expect(uses).toMatchObject([{ place: 'Instagram, November 27', removedAt: null }, { endReason: 'withdrawn' }])
    // A second click on "End use" is no proof of a removal.
    expect((await provider.photoUses.end({ id: uses[0]!.id })).uses[0]).toMatchObject({ removedAt: null })
    const removed = await provider.photoUses.end({ id: uses[0]!.id, removed: true })
    expect(removed.uses.map(({ removedAt }) => removedAt !== null)).toEqual([true, false])
  })

  it('end with the last day of a consent, each with one task for what is elsewhere, however often the job runs', async () => {
    const patient = await treated({ technique: 'Last day' })
    const { contactId } = patient
    const record = (expiresOn: string) =>
      provider.photoUses.recordConsent({
        contactId,
        purposes: ['social_media', 'consult_room'],
        photoIds: null,
        givenOn: today,
        expiresOn,
        note: 'Email',
      })
    await record('2026-11-30')
    const begin = (purpose: 'social_media' | 'consult_room', place: string | null) =>
      provider.photoUses.begin({ contactId, photoIds: both(patient), purpose, place })
    await begin('social_media', 'Instagram, November 27')
    await begin('consult_room', null)
    const tasks = () => server.rows<{ id: string; title: string }>('select id, title from tasks where contact_id = $1', [contactId])
    const run = endExpired
    const endings = async () => {
      const { uses } = await provider.photoUses.ofContact({ contactId })
      return uses.map(({ place, endReason }) => [place !== null, endReason])
    }
    now = new Date('2026-12-01T03:00:00Z')
    await run()
    expect([(await tasks()).length, (await endings()).every(([, reason]) => reason === null)]).toEqual([0, true])
    now = new Date('2026-12-01T15:00:00Z')
    await Promise.all([run(), run(), run()])
    await run()
    expect((await tasks()).map(({ title }) => title)).toEqual(['A patient’s consent has expired: remove what was published'])
    expect((await endings()).map(([, reason]) => reason)).toEqual(['expired', 'expired', 'expired', 'expired'])
    const linked = await server.rows<{ task_id: string | null }>(
      'select distinct task_id from photo_uses join photos on photos.id = photo_id where contact_id = $1 and place is not null',
      [contactId],
    )
    expect(linked).toEqual([{ task_id: (await tasks())[0]!.id }])
    const { uses } = await provider.photoUses.ofContact({ contactId })
    const placed = uses.find(({ place }) => place !== null)!
    const removed = (await provider.photoUses.end({ id: placed.id, removed: true })).uses.find(({ id }) => id === placed.id)
    expect(removed).toMatchObject({ endReason: 'expired', removedAt: expect.any(String) })
    // Under a new consent, the photos are in use again.
    await record('2026-12-31')
    expect((await begin('consult_room', null)).uses.filter(({ isLive }) => isLive)).toHaveLength(2)
    now = new Date('2026-11-27T15:00:00Z')
  })

  it('can be marked as removed before the job has ended them', async () => {
    const patient = await treated()
    const { contactId } = patient
    await provider.photoUses.recordConsent({
      contactId,
      purposes: ['education'],
      photoIds: null,
      givenOn: today,
      expiresOn: today,
      note: 'Email',
    })
    const { uses } = await provider.photoUses.begin({ contactId, photoIds: [patient.after], purpose: 'education', place: 'Congress' })
    now = new Date('2026-11-28T15:00:00Z')
    const { uses: after } = await provider.photoUses.end({ id: uses[0]!.id, removed: true })
    expect(after).toMatchObject([{ isLive: false, removedAt: expect.any(String) }])
    now = new Date('2026-11-27T15:00:00Z')
  })

  it.each(['withdrawn', 'expired'] as const)('become a task of an administrator if the person has left (%s)', async (reason) => {
    const patient = await treated()
    const { contactId } = patient
    const { consents } = await provider.photoUses.recordConsent({
      contactId,
      purposes: ['social_media'],
      photoIds: null,
      givenOn: today,
      expiresOn: today,
      note: 'Email',
    })
    const leaving = await server.account({ role: 'provider' })
    await server.client(leaving.cookie).photoUses.begin({ contactId, photoIds: both(patient), purpose: 'social_media', place: 'Instagram' })
    await server.rows("update profiles set status = 'disabled' where id = $1", [leaving.id])
    if (reason === 'withdrawn') await provider.photoUses.withdrawConsent({ id: consents[0]!.id, on: today, by: 'Zoë' })
    else {
      now = new Date('2026-11-28T15:00:00Z')
      await endExpired()
      now = new Date('2026-11-27T15:00:00Z')
    }
    const people = await server.rows<{ role: string; status: string }>(
      'select role, profiles.status from tasks join task_assignees on task_id = tasks.id join profiles on profiles.id = profile_id where contact_id = $1',
      [contactId],
    )
    expect(people).toEqual([{ role: 'admin', status: 'active' }])
  })

  it('never stay public under a consent from before the treatment, when the day or time of a series is corrected', async () => {
    const patient = await treated({ technique: 'Corrected' })
    const { contactId } = patient
    await signed(patient, ['website'], '2026-10-05')
    await provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'website', place: null })
    const seriesOf = async (timePoint: string) => {
      const found = (await provider.photos.ofContact({ contactId })).find((one) => one.timePoint === timePoint)!
      const { id, version, procedureId, shotList, title, takenOn, technique } = found
      return { id, version, procedureId, shotList, timePoint: found.timePoint, title, takenOn, technique }
    }
    const after = await seriesOf('month_3')
    const problem = 'A photo is on the website or on social media under a consent from before this.'
    const fieldsOf = async (call: Promise<unknown>) => (await refusal(call)).data.fields
    // The result is from after the consent: so is that of the photo before.
    expect(await fieldsOf(provider.photos.changeSeries({ ...after, takenOn: '2026-10-06' }))).toEqual({
      takenOn: expect.stringContaining(problem),
    })
    expect(await fieldsOf(provider.photos.changeSeries({ ...after, timePoint: 'pre_op' }))).toEqual({
      timePoint: expect.stringContaining(problem),
    })
    expect(await fieldsOf(provider.photos.changeSeries({ ...after, shotList: 'face' }))).toEqual({
      shotList: expect.stringContaining(problem),
    })
    const later = await provider.photos.addSeries({ contactId, shotList: 'nose', timePoint: 'month_6', takenOn: '2026-11-01' })
    expect(await fieldsOf(provider.photos.change({ id: patient.after, seriesId: later.id }))).toEqual({
      seriesId: expect.stringContaining(problem),
    })
    expect(await seriesOf('month_3')).toEqual(after)
    // What the consent still covers can be corrected.
    expect(await provider.photos.changeSeries({ ...after, takenOn: '2026-10-05' })).toMatchObject({ takenOn: '2026-10-05' })
    const { uses } = await provider.photoUses.ofContact({ contactId })
    expect(uses.every(({ isLive }) => isLive)).toBe(true)
    for (const { id } of uses) await provider.photoUses.end({ id })
    const corrected = await seriesOf('month_3')
    expect(await provider.photos.changeSeries({ ...corrected, takenOn: '2026-10-06' })).toMatchObject({ takenOn: '2026-10-06' })
  })

  it('never stay public when the only result is moved to a later series', async () => {
    const patient = await treated()
    const { contactId } = patient
    await signed(patient, ['website'], '2026-10-05')
    await provider.photoUses.begin({ contactId, photoIds: [patient.before], purpose: 'website', place: null })
    const later = await provider.photos.addSeries({ contactId, shotList: 'nose', timePoint: 'month_6', takenOn: '2026-11-01' })
    expect(await refusal(provider.photos.change({ id: patient.after, seriesId: later.id }))).toMatchObject({
      data: { fields: { seriesId: expect.stringContaining('under a consent from before this') } },
    })
  })

  it('never become public beside a correction of the day at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const patient = await treated()
      const { contactId } = patient
      await signed(patient, ['website'], '2026-10-05')
      const found = (await provider.photos.ofContact({ contactId })).find(({ timePoint }) => timePoint === 'month_3')!
      const change = { id: found.id, version: 1, shotList: 'nose', timePoint: 'month_3', takenOn: '2026-10-06' } as const
      const [begun, changed] = await Promise.allSettled([
        provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'website', place: null }),
        provider.photos.changeSeries(change),
      ])
      expect([begun.status, changed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    }
  })

  it('are used once for a purpose, however often and at the same time that is asked for', async () => {
    const patient = await treated()
    const { contactId } = patient
    await signed(patient, ['consult_room'])
    const begin = () => provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null })
    await Promise.all([begin(), begin(), begin()])
    const { uses } = await begin()
    expect(uses).toHaveLength(2)
    await provider.photos.delete({ id: patient.after })
    expect((await provider.photoUses.ofContact({ contactId })).uses.map(({ isLive }) => isLive).toSorted()).toEqual([false, true])
  })

  it('never stay in use beside a withdrawal at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const patient = await treated()
      const { contactId } = patient
      const { id } = await signed(patient, ['consult_room'])
      await Promise.allSettled([
        provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null }),
        provider.consentForms.withdraw({ id, on: today, by: 'Zoë' }),
      ])
      const { uses } = await provider.photoUses.ofContact({ contactId })
      expect(uses.filter(({ isLive, endedAt }) => isLive || endedAt === null)).toEqual([])
    }
  })
})

describe('the report of a withdrawal (issue 27)', () => {
  const report = (id: string, role: Role = 'provider') => get(`/api/photo-consents/${id}.pdf`, role)
  const textOf = async (response: Response) => {
    expect(response.status).toBe(200)
    return (await textOfPdf(new Uint8Array(await response.arrayBuffer()))).join(' ')
  }

  it('lists every place of use that it ended, whose task it is, and what is still open', async () => {
    const patient = await treated()
    const { contactId } = patient
    const { consents } = await provider.photoUses.recordConsent({
      contactId,
      purposes: ['consult_room', 'social_media', 'referral'],
      photoIds: both(patient),
      givenOn: today,
      note: 'Email of November 27',
    })
    const idOf = (purpose: Purpose) => consents.find((consent) => consent.purpose === purpose)!.id
    const id = idOf('social_media')
    expect((await report(id)).status).toBe(409)
    await provider.photoUses.begin({ contactId, photoIds: both(patient), purpose: 'consult_room', place: null })
    await provider.photoUses.begin({ contactId, photoIds: [patient.after], purpose: 'social_media', place: 'Instagram, November 27' })
    await provider.photoUses.begin({ contactId, photoIds: [patient.after], purpose: 'social_media', place: 'Facebook page' })
    await provider.photoUses.share({
      contactId,
      photoIds: [patient.before],
      purpose: 'referral',
      recipient: 'Dr. Ng',
      email: 'ng@mail.example',
      days: 7,
    })
    const withdraw = (consent: string) => provider.photoUses.withdrawConsent({ id: consent, on: today, by: 'Zoë, by phone' })
    const { uses } = await withdraw(id)
    const livePurposes = new Set(uses.filter(({ isLive }) => isLive).map(({ purpose }) => purpose))
    expect(livePurposes).toEqual(new Set(['consult_room', 'referral']))
    await provider.photoUses.end({ id: uses.find(({ place }) => place === 'Facebook page')!.id, removed: true })
    const response = await report(id)
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="Withdrawal-Zoe-Roy-/)
    const text = await textOf(response)
    for (const part of [
      'Zoë Roy',
      'May 5, 1990',
      'Email of November 27',
      'Allowed Social media',
      '2 photos',
      'Nov 27, 2026, by Zoë, by phone',
      'Instagram, November 27',
      'Facebook page',
      'Front, 3 months post-op',
      'Series of Oct 1, 2026',
      'by the withdrawal',
      'Not marked as removed Task of Test provider, open',
      'by Test provider. Task of Test provider, open',
    ])
      expect(text).toContain(part)
    for (const [purpose, place] of [
      ['consult_room', 'Gallery of the consult room'],
      ['referral', 'Link to Dr. Ng (ng@mail.example), never opened'],
    ] as const) {
      await withdraw(idOf(purpose))
      const other = await textOf(await report(idOf(purpose)))
      for (const part of [place, 'Ended by Refyne', 'Still open Nothing.']) expect(other).toContain(part)
      expect(other).not.toContain('Instagram')
    }
    expect(/Still open (.*) Where the photos/.exec(text)?.[1]?.trim()).toBe('Front, 3 months post-op: Social media, Instagram, November 27')
    await provider.photoUses.end({ id: uses.find(({ place }) => place?.startsWith('Instagram'))!.id, removed: true })
    expect(await textOf(await report(id))).toContain('Still open Nothing.')
    const exports = await server.rows(
      "select 1 from audit_log where action = 'exported' and kind = 'photo consent' and contact_ids = array[$1]::uuid[]",
      [contactId],
    )
    expect(exports).toHaveLength(4)
  })

  it('says how far a signed form was withdrawn, and lists no use that still has its consent', async () => {
    const patient = await treated()
    const { contactId } = patient
    const { id } = await signed(patient, ['consult_room', 'website'])
    for (const purpose of ['consult_room', 'website'] as const)
      await provider.photoUses.begin({ contactId, photoIds: both(patient), purpose, place: null })
    await provider.consentForms.withdraw({ id, on: today, by: 'Zoë', scopes: ['website'] })
    const part = await textOf(await report(id, 'admin'))
    expect(part).toMatch(/Signed on paper Nov 27, 2026, by Zoë Roy/)
    expect(part).toContain('Withdrawn uses Website')
    expect(part).toMatch(/Nov 27, 2026, by Zoë, recorded by Test provider on [^:]+:\d\d [ap]\.m\.: Website/)
    expect(part).toContain('Feed of the website')
    expect(part).not.toContain('Gallery of the consult room')
    await provider.consentForms.withdraw({ id, on: today, by: 'Zoë' })
    expect(await textOf(await report(id))).toContain('Gallery of the consult room')
  })

  it('is for providers and administrators only', async () => {
    const patient = await treated()
    const { id } = await signed(patient, ['website'])
    await provider.consentForms.withdraw({ id, on: today, by: 'Zoë' })
    for (const role of ['sales_rep', 'front_desk', 'billing'] as const) expect((await report(id, role)).status).toBe(403)
    const { token } = await admin.apiKeys.create({ name: 'Report', scopes: ['contacts:read', 'gallery:read'], days: 1 })
    expect((await get(`/api/photo-consents/${id}.pdf`, null, { authorization: `Bearer ${token}` })).status).toBe(403)
    expect((await report(randomUUID())).status).toBe(404)
    expect((await report('x')).status).toBe(404)
    expect(await textOf(await report(id))).toContain('No photo was used')
  })
})

describe('a link to photos (issue 27)', () => {
  async function shared(patient: Patient, part: object = {}) {
    const email = `${randomUUID()}@mail.example`
    const given = {
      contactId: patient.contactId,
      photoIds: both(patient),
      purpose: 'referral',
      recipient: 'Dr. Ng',
      email,
      days: 7,
      ...part,
    } as const
    const answer = await provider.photoUses.share(given)
    const mail = await until(() => server.outbox.messages.find(({ To }) => To === email))
    const token = /shared-photos#([\w-]+)/.exec(mail.TextBody ?? '')![1]!
    const open = async () => {
      const response = await get(`/api/shared-photos/${token}`)
      return { status: response.status, body: (await response.json()) as { patient: object | null; photos: { id: string }[] } }
    }
    const image = (id: string) => get(`/api/shared-photos/${token}/${id}.jpg`)
    return { ...answer, mail, token, open, image }
  }

  it('shows the photos to its recipient until the patient withdraws, and names the patient in a referral only', async () => {
    const patient = await treated()
    const consent = await signed(patient, ['chart'])
    const { mail, open, image, links } = await shared(patient)
    expect(`${mail.Subject} ${mail.TextBody}`).not.toMatch(/Zoë|Roy/)
    expect(links).toMatchObject([{ recipient: 'Dr. Ng', opened: 0, photoIds: expect.arrayContaining(both(patient)) }])
    const { status, body } = await open()
    expect([status, body.photos.map(({ id }) => id)]).toEqual([200, both(patient)])
    expect(body.patient).toMatchObject({ name: expect.stringContaining('Zoë'), dateOfBirth: '1990-05-05' })
    expect((await image(patient.before)).headers.get('content-type')).toBe('image/jpeg')
    const other = await treated()
    expect((await image(other.before)).status).toBe(404)
    expect((await provider.photoUses.ofContact({ contactId: patient.contactId })).links).toMatchObject([{ opened: 1 }])
    await provider.consentForms.withdraw({ id: consent.id, on: today, by: 'Zoë' })
    expect([(await open()).status, (await image(patient.before)).status]).toEqual([404, 404])
  })

  it('ends when staff end it or its days are over, and a wrong secret opens nothing', async () => {
    const patient = await treated()
    await signed(patient, ['chart'])
    const { links, open, image } = await shared(patient, { days: 2 })
    now = new Date('2026-11-29T15:00:01Z')
    expect([(await open()).status, (await image(patient.after)).status]).toEqual([404, 404])
    now = new Date('2026-11-27T15:00:00Z')
    expect((await open()).status).toBe(200)
    await provider.photoUses.endLink({ id: links[0]!.id })
    expect([(await open()).status, (await image(patient.after)).status]).toEqual([404, 404])
    expect((await get(`/api/shared-photos/${randomUUID()}`)).status).toBe(404)
    const education = provider.photoUses.share({
      contactId: patient.contactId,
      photoIds: both(patient),
      purpose: 'education',
      recipient: 'A',
      email: 'a@mail.example',
      days: 7,
    })
    expect(gapOf(await refusal(education))).toEqual(['none'])
  })
})

describe('the original of a photo (issue 27)', () => {
  it('leaves the chart for a use that the patient consented to, or for the patient', async () => {
    const patient = await treated()
    const original = (purpose: string) => get(`/api/photos/${patient.before}/original?purpose=${purpose}`, 'provider')
    expect((await get(`/api/photos/${patient.before}/original`, 'provider')).status).toBe(422)
    const refused = await original('referral')
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { code: 'NO_CONSENT', message: 'The patient has not consented to this use.' },
    ])
    await signed(patient, ['chart'])
    expect([(await original('referral')).status, (await original('patient')).status]).toEqual([200, 200])
  })
})

describe('roles (issue 27)', () => {
  it('only providers and administrators see where photos are used; sales see the consult room only', async () => {
    const patient = await treated()
    await signed(patient, ['consult_room', 'website'])
    for (const purpose of ['consult_room', 'website'] as const)
      await provider.photoUses.begin({ contactId: patient.contactId, photoIds: both(patient), purpose, place: null })
    for (const role of ['sales_rep', 'front_desk', 'billing'] as const) {
      const client = await server.as(role)
      expect((await refusal(client.photoUses.ofContact({ contactId: patient.contactId }))).code).toBe('FORBIDDEN')
      expect((await refusal(client.gallery.feed({}))).code).toBe('FORBIDDEN')
      if (role !== 'sales_rep') expect((await refusal(client.consultGallery.list({}))).code).toBe('FORBIDDEN')
    }
    const { token } = await admin.apiKeys.create({ name: 'Wrong', scopes: ['contacts:read', 'documents:read'], days: 1 })
    for (const path of ['/api/gallery', '/api/consult-gallery', `/api/photos/${patient.before}/screen`])
      expect((await get(path, null, { authorization: `Bearer ${token}` })).status).toBe(403)
  })
})
