import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTwilioSimulator } from '../../../simulators/twilio/server.ts'
import { usePractice } from '../../../test/care/appointments.ts'
import { insertContact } from '../../../test/factories.ts'
import { newNumber } from '../../../test/messages/texts.ts'
import { codeOf as codeInSubject } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, clientOf } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { offerTimes, settle } from './fill.ts'
import { offerOpenings } from './jobs.ts'

const twilio = await startTwilioSimulator()
const appUrl = 'https://clinic.example'
const practice = usePractice({
  APP_URL: appUrl,
  TRUST_PROXY: 'true',
  // The job that runs every minute leaves offers to the tests.
  WAITING_LIST_AT_ONCE: '0',
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_NUMBER: twilio.number,
  TWILIO_URL: twilio.url,
})
const { server, clock } = practice
let admin: Client
/** Tuesday, December 1, 2026, 10:00 in Toronto. */
const ten = '2026-12-01T15:00:00.000Z'
const day = '2026-12-01'

beforeAll(async () => {
  admin = await server.as('admin')
})
afterAll(() => twilio.stop())
beforeEach(async () => {
  clock.now = new Date('2026-11-23T15:00:00Z')
  await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
  await server.rows("update waiting_list_entries set status = 'ended' where status = 'waiting'")
  await server.rows("update waiting_offers set status = 'expired' where status = 'open'")
  await server.rows('delete from rate_limits')
  // Only this one visit of 45 minutes is possible.
  await works('10:00', '10:45')
})

const works = (opens: string, closes: string, last = day) =>
  admin.availability.setStaffHours({
    id: practice.provider.id,
    weekly: [2, 3, 4].map((weekday) => ({ weekday, opens, closes, fromDay: day, toDay: last })),
  })
type NewVisitType = Parameters<Client['availability']['addVisitType']>[0]
const addVisit = (given: Partial<NewVisitType> = {}) =>
  admin.availability.addVisitType({
    name: randomUUID(),
    nameFr: null,
    description: null,
    descriptionFr: null,
    type: 'consult',
    minutes: 45,
    bufferBefore: 0,
    bufferAfter: 0,
    noticeHours: 0,
    horizonDays: 90,
    changeHours: 24,
    maxPerDay: null,
    patients: 'all',
    isOnline: true,
    providerIds: [practice.provider.id],
    secondIds: [],
    roomIds: [],
    ...given,
  })
type NewEntry = Parameters<Client['waitingList']['add']>[0]
async function wait(visitTypeId: string, given: Partial<NewEntry> = {}) {
  const email = `${randomUUID()}@mail.example`
  const contactId = given.contactId ?? (await insertContact(server, { firstName: 'Ana', email }))
  const entry = await practice.desk.waitingList.add({
    contactId,
    visitTypeId,
    weekdays: [],
    dayParts: [],
    fromDay: '2026-11-23',
    toDay: '2026-12-31',
    ...given,
  })
  return { contactId, email, entry }
}
const scope = (env: Partial<Scope['env']> = {}) => {
  const runtime = server.running.runtime as unknown as Scope
  return { ...runtime, actor: null, origin: { requestId: 'test', address: null }, env: { ...runtime.env, ...env } } as Scope
}
const run = () => offerOpenings.run(scope({ WAITING_LIST_AT_ONCE: 3 }), {}, { last: false })
/** Fills the only time, and returns how to free it. */
async function full(visitTypeId: string) {
  const booked = await practice.book({ visitTypeId, startsAt: ten })
  return () => practice.desk.appointments.setStatus({ id: booked.id, version: booked.version, status: 'cancelled', reason: 'Has a cold' })
}
let visitors = 0
const visitor = (): Client =>
  clientOf(server.url, undefined, { 'x-forwarded-for': `198.52.${Math.floor(++visitors / 250)}.${visitors % 250}` })
const emailsTo = (email: string) => server.outbox.messages.filter(({ To }) => To === email)
const tokenIn = (text: string | undefined) => /\/offer\/([\w~-]+)/.exec(text ?? '')![1]!
const offeredTo = async (email: string, before = 0): Promise<string> => {
  await until(() => emailsTo(email).filter(({ Subject = '' }) => Subject.startsWith('A time is free')).length > before)
  return tokenIn(emailsTo(email).find(({ Subject = '' }) => Subject.startsWith('A time is free'))!.TextBody)
}
const entryOf = async (contactId: string) => (await practice.desk.waitingList.ofContact({ contactId }))[0]!
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const booked = (contactId: string) => practice.desk.appointments.ofContact({ contactId })

describe('the waiting list', () => {
  it('is kept by staff, who add, change and remove entries, on the timeline and in the audit log (issue 29)', async () => {
    const visit = await addVisit({ name: 'Skin consult' })
    await full(visit.id)
    const { contactId, entry } = await wait(visit.id, { weekdays: [4, 2, 2], dayParts: ['morning'], note: 'At short notice' })
    expect(entry).toMatchObject({
      contact: { id: contactId },
      weekdays: [2, 4],
      dayParts: ['morning'],
      status: 'waiting',
      offers: [],
      createdBy: practice.deskId,
    })
    const changed = await practice.desk.waitingList.change({
      id: entry.id,
      version: 1,
      visitTypeId: visit.id,
      providerId: practice.provider.id,
      weekdays: [],
      dayParts: [],
      fromDay: '2026-12-01',
      toDay: '2026-12-20',
    })
    expect(changed).toMatchObject({ version: 2, providerId: practice.provider.id, weekdays: [], note: null })
    expect((await practice.desk.waitingList.list({ visitTypeId: visit.id })).map(({ id }) => id)).toEqual([entry.id])
    expect(
      await practice.desk.waitingList.list({ visitTypeId: visit.id, providerId: (await server.account({ role: 'provider' })).id }),
    ).toEqual([])
    expect(await practice.desk.waitingList.remove({ id: entry.id })).toMatchObject({ status: 'ended' })
    expect(await codeOf(practice.desk.waitingList.remove({ id: entry.id }))).toBe('NOT_WAITING')
    expect(await practice.timelineOf(contactId)).toEqual(['Taken off the waiting list', 'Added to the waiting list: Skin consult'])
    const entries = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'waiting list' and contact_ids @> array[$1::uuid] and action <> 'viewed' order by id",
      [contactId],
    )
    expect(entries.map(({ action }) => action)).toEqual(['created', 'changed', 'changed'])
  })

  it('refuses what does not fit together, naming the field, and more entries than it can hold (issue 29)', async () => {
    const visit = await addVisit()
    await full(visit.id)
    const other = await server.account({ role: 'provider' })
    const wrong = await refusal(wait(visit.id, { providerId: other.id, fromDay: '2026-11-01', toDay: '2026-11-20' }))
    expect(wrong).toMatchObject({ status: 422, code: 'INVALID_REFERENCE' })
    expect(Object.keys(wrong.data.fields ?? {}).toSorted()).toEqual(['providerId', 'toDay'])
    expect((await refusal(wait(visit.id, { fromDay: '2026-12-02', toDay: '2026-12-01' }))).status).toBe(422)
    expect((await refusal(wait(visit.id, { toDay: '2028-12-01' }))).status).toBe(422)
    expect(await codeOf(wait(randomUUID()))).toBe('INVALID_REFERENCE')
    expect(await codeOf(wait(visit.id, { contactId: randomUUID() }))).toBe('INVALID_REFERENCE')
    const { contactId, entry } = await wait(visit.id)
    for (let more = 1; more < 10; more++) await wait(visit.id, { contactId })
    expect(await codeOf(wait(visit.id, { contactId }))).toBe('TOO_MANY')
    const { id } = entry
    const same = { visitTypeId: visit.id, weekdays: [], dayParts: [], fromDay: '2026-12-01', toDay: '2026-12-20' }
    expect(await codeOf(practice.desk.waitingList.change({ id, version: 7, ...same }))).toBe('CHANGED_MEANWHILE')
    expect(await codeOf(practice.desk.waitingList.change({ id: randomUUID(), version: 1, ...same }))).toBe('NOT_FOUND')
  })

  it('names the gaps of a day by provider, with those who fit in the order in which they have waited (issue 29)', async () => {
    const visit = await addVisit()
    await works('10:00', '12:00')
    const first = await wait(visit.id)
    const second = await wait(visit.id, { weekdays: [2], dayParts: ['morning'] })
    await wait(visit.id, { dayParts: ['evening'] })
    await wait(visit.id, { weekdays: [3] })
    await wait(visit.id, { fromDay: '2026-12-02' })
    const ids = [first, second].map(({ entry }) => entry.id)
    const found = await practice.desk.waitingList.gaps({ from: day, days: 1 })
    expect(found).toMatchObject([{ providerId: practice.provider.id, startsAt: ten, endsAt: '2026-12-01T17:00:00.000Z' }])
    expect(found[0]!.fitting.map(({ entryId }) => entryId)).toEqual(ids)
    await practice.book({ visitTypeId: visit.id, startsAt: '2026-12-01T15:30:00Z' })
    expect(await practice.desk.waitingList.gaps({ from: day, days: 1 })).toMatchObject([
      { startsAt: '2026-12-01T16:15:00.000Z', fitting: [{ startsAt: '2026-12-01T16:15:00.000Z' }, { entryId: ids[1] }] },
    ])
  })
})

describe('an offer', () => {
  it('goes to several who fit once a visit is cancelled; the first who says yes is booked, and the other reads that it is gone (issue 29)', async () => {
    const visit = await addVisit({ nameFr: 'Consultation' })
    const free = await full(visit.id)
    const [ana, bea] = [await wait(visit.id), await wait(visit.id)]
    const late = await wait(visit.id, { dayParts: ['evening'] })
    await run()
    expect(emailsTo(ana.email)).toEqual([])
    await free()
    await run()
    const [toAna, toBea] = [await offeredTo(ana.email), await offeredTo(bea.email)]
    await run()
    expect((await entryOf(ana.contactId)).offers).toMatchObject([
      { status: 'open', startsAt: ten, createdBy: null, expiresAt: '2026-11-23T17:00:00.000Z' },
    ])
    expect((await entryOf(late.contactId)).offers).toEqual([])
    expect(await visitor().waitingOffers.view({ token: toAna })).toMatchObject({
      state: 'open',
      firstName: 'Ana',
      visitFr: 'Consultation',
      minutes: 45,
      startsAt: ten,
      provider: 'Dr. Okafor',
      link: null,
    })
    const accepted = await visitor().waitingOffers.accept({ token: toAna })
    expect(accepted).toMatchObject({ state: 'accepted', link: expect.stringMatching(/^\/appointment\/.{43}$/) })
    expect(await visitor().waitingOffers.accept({ token: toAna })).toMatchObject({ state: 'accepted', link: accepted.link })
    // However often it is looked at, the visit has one link.
    expect(await visitor().waitingOffers.view({ token: toAna })).toMatchObject({ link: accepted.link })
    expect((await visitor().appointmentLinks.view({ token: accepted.link!.split('/').pop()! })).state).toBe('booked')
    expect(await visitor().waitingOffers.view({ token: toBea })).toMatchObject({ state: 'gone' })
    expect(await visitor().waitingOffers.accept({ token: toBea })).toMatchObject({ state: 'gone', link: null })

    const [appointment] = await booked(ana.contactId)
    expect(appointment).toMatchObject({ startsAt: ten, visitTypeId: visit.id, providerId: practice.provider.id, notifiesPatient: true })
    expect(await booked(bea.contactId)).toEqual([])
    expect(await entryOf(ana.contactId)).toMatchObject({
      status: 'booked',
      appointmentId: appointment!.id,
      offers: [{ status: 'accepted' }],
    })
    expect(await entryOf(bea.contactId)).toMatchObject({ status: 'waiting', offers: [{ status: 'gone' }] })
    const timeline = await practice.timelineOf(ana.contactId)
    expect(timeline.some((entry) => entry.startsWith('Consultation booked by the patient for Tue, Dec 1, 2026 at 10:00 a.m.'))).toBe(true)
    expect(timeline).toContain(`Offered Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor from the waiting list: ${visit.name}`)
  })

  it('names a visit that patients cannot book online behind its link only (issue 29)', async () => {
    const visit = await addVisit({ isOnline: false })
    const free = await full(visit.id)
    const { email } = await wait(visit.id)
    await free()
    await run()
    const token = await offeredTo(email)
    expect(emailsTo(email)[0]!.TextBody).toContain('The visit\n45 minutes\nPlease answer by Nov 23, 2026, 12:00 p.m.')
    expect(JSON.stringify(emailsTo(email))).not.toContain(visit.name)
    expect(await visitor().waitingOffers.view({ token })).toMatchObject({ visit: visit.name, bookableId: null, isWaiting: true })
  })

  it('is not made automatically for a time that was free all along, which staff see; once it is taken and free again, it is (issue 29)', async () => {
    const visit = await addVisit()
    const { contactId, email, entry } = await wait(visit.id)
    expect(entry.openAt).toEqual(ten)
    await run()
    expect(await practice.desk.waitingList.list({ visitTypeId: visit.id })).toMatchObject([{ openAt: ten, offers: [] }])
    const free = await full(visit.id)
    await run()
    expect(await entryOf(contactId)).toMatchObject({ openAt: null })
    await free()
    await run()
    await offeredTo(email)
    expect(await entryOf(contactId)).toMatchObject({ openAt: ten, version: 1, offers: [{ startsAt: ten, createdBy: null }] })
    const audited = await server.rows("select 1 from audit_log where kind = 'waiting list' and after ? 'alreadyOpen'")
    expect(audited).toEqual([])
  })

  it('is made for a time that hours add, and starts over when staff change what the patient waits for (issue 29)', async () => {
    const visit = await addVisit()
    const { contactId, entry } = await wait(visit.id)
    await works('10:00', '11:00')
    await run()
    const later = '2026-12-01T15:15:00.000Z'
    expect((await entryOf(contactId)).offers).toMatchObject([{ startsAt: later }])
    const other = await wait(visit.id, { dayParts: ['evening'] })
    const { id, fromDay, toDay, visitTypeId } = other.entry
    const changed = await practice.desk.waitingList.change({ id, version: 1, visitTypeId, weekdays: [], dayParts: [], fromDay, toDay })
    expect(changed.openAt).toEqual(ten)
    await run()
    expect((await entryOf(other.contactId)).offers).toEqual([])
    await practice.desk.waitingList.remove({ id: entry.id })
  })

  it('is booked once even if two patients say yes at the same moment, each several times (issue 29)', async () => {
    const visit = await addVisit()
    const free = await full(visit.id)
    const both = [await wait(visit.id), await wait(visit.id)]
    await free()
    await run()
    const tokens = await Promise.all(both.map(({ email }) => offeredTo(email)))
    const answers = await Promise.all([...tokens, ...tokens, ...tokens].map((token) => visitor().waitingOffers.accept({ token })))
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['accepted', 'gone']))
    const visits = await Promise.all(both.map(({ contactId }) => booked(contactId)))
    expect(visits.map(({ length }) => length).toSorted()).toEqual([0, 1])
  })

  it('can go to one patient after another, each time once the one before has declined or not answered (issue 29)', async () => {
    const visit = await addVisit()
    const free = await full(visit.id)
    const [ana, bea, cleo] = [await wait(visit.id), await wait(visit.id), await wait(visit.id)]
    await free()
    const once = () => offerTimes(scope({ WAITING_LIST_AT_ONCE: 1 }))
    const openOf = async ({ contactId }: { contactId: string }) => (await entryOf(contactId)).offers.map(({ status }) => status)
    await once()
    const token = await offeredTo(ana.email)
    await once()
    expect([await openOf(ana), await openOf(bea)]).toEqual([['open'], []])
    expect(await visitor().waitingOffers.decline({ token })).toMatchObject({ state: 'declined' })
    expect(await visitor().waitingOffers.accept({ token })).toMatchObject({ state: 'declined' })
    await once()
    // A declined day is not offered again.
    expect([await openOf(ana), await openOf(bea), await openOf(cleo)]).toEqual([['declined'], ['open'], []])
    const late = await offeredTo(bea.email)
    clock.now = new Date('2026-11-23T17:00:00Z')
    expect(await visitor().waitingOffers.view({ token: late })).toMatchObject({ state: 'expired' })
    expect(await visitor().waitingOffers.accept({ token: late })).toMatchObject({ state: 'expired' })
    await settle(scope())
    await once()
    expect([await openOf(bea), await openOf(cleo)]).toEqual([['expired'], ['open']])
    expect(await practice.timelineOf(ana.contactId)).toContain('Declined Tue, Dec 1, 2026 at 10:00 a.m. from the waiting list')
    expect(await entryOf(ana.contactId)).toMatchObject({ status: 'waiting' })
  })

  it('ends with the entry when the patient stops waiting, and ends itself when the time is taken (issue 29)', async () => {
    const visit = await addVisit()
    const free = await full(visit.id)
    const [ana, bea] = [await wait(visit.id), await wait(visit.id)]
    await free()
    await run()
    expect(await visitor().waitingOffers.decline({ token: await offeredTo(ana.email), stops: true })).toMatchObject({ state: 'declined' })
    expect(await entryOf(ana.contactId)).toMatchObject({ status: 'ended' })
    expect(await practice.timelineOf(ana.contactId)).toContain('Taken off the waiting list by the patient')
    await practice.book({ visitTypeId: visit.id, startsAt: ten })
    await run()
    expect(await entryOf(bea.contactId)).toMatchObject({ status: 'waiting', offers: [{ status: 'gone' }] })
    clock.now = new Date('2027-01-02T15:00:00Z')
    await run()
    expect(await entryOf(bea.contactId)).toMatchObject({ status: 'ended' })
  })

  it('goes by text to a patient who prefers it, by day only, and the stored copy does not have the link (issue 29)', async () => {
    const visit = await addVisit()
    const number = newNumber()
    const free = await full(visit.id)
    const { contactId, email } = await wait(visit.id)
    await free()
    await server.rows("update contacts set preferred_channel = 'text', phone = $2 where id = $1", [contactId, number])
    clock.now = new Date('2026-11-24T03:00:00Z')
    await run()
    expect((await entryOf(contactId)).offers).toEqual([])
    clock.now = new Date('2026-11-24T15:00:00Z')
    await run()
    const text = await until(() => twilio.messages.find(({ to, direction }) => to === number && direction === 'outbound-api'))
    expect(text.body).toMatch(
      /: a time is free for you\.\nTuesday, December 1, 2026, 10:00 a\.m\.\nThe first to say yes gets it: https:\/\/clinic\.example\/s\/\w{14}$/,
    )
    expect(emailsTo(email)).toEqual([])
    const stored = await server.rows<{ text: string }>("select body as text from messages where body like '%a time is free for you%'")
    expect(stored[0]!.text).toContain('/offer/your-link')
  })

  it('is made by hand too, and refused for a time that is not free, a patient with an open offer and one without an address (issue 29)', async () => {
    const visit = await addVisit()
    const { entry, email, contactId } = await wait(visit.id, { fromDay: '2026-12-10' })
    const { id } = entry
    expect(await codeOf(practice.desk.waitingList.offer({ id, startsAt: '2026-12-01T16:00:00Z' }))).toBe('GONE')
    expect(await codeOf(practice.desk.waitingList.offer({ id: randomUUID(), startsAt: ten }))).toBe('NOT_FOUND')
    // A time outside of what was suitable, which the patient agreed to by phone.
    const made = await practice.desk.waitingList.offer({ id, startsAt: ten })
    expect(made.offers).toMatchObject([{ status: 'open', createdBy: practice.deskId, providerId: practice.provider.id }])
    expect(await codeOf(practice.desk.waitingList.offer({ id, startsAt: ten }))).toBe('OPEN_OFFER')
    await practice.desk.waitingList.remove({ id })
    expect(await visitor().waitingOffers.accept({ token: await offeredTo(email) })).toMatchObject({ state: 'declined' })
    expect(await booked(contactId)).toEqual([])
    const silent = await wait(visit.id, { fromDay: '2026-12-10' })
    await server.rows('update contacts set email = null where id = $1', [silent.contactId])
    expect(await codeOf(practice.desk.waitingList.offer({ id: silent.entry.id, startsAt: ten }))).toBe('UNREACHABLE')
    expect((await entryOf(silent.contactId)).offers).toEqual([])
  })

  it('answers links that are wrong or of a deleted patient as unknown, and limits attempts (issue 29)', async () => {
    const visit = await addVisit()
    const free = await full(visit.id)
    const { contactId, email } = await wait(visit.id)
    await free()
    await run()
    const token = await offeredTo(email)
    for (const wrong of ['made-up', `${token}x`, token.slice(0, -2)]) {
      expect((await refusal(visitor().waitingOffers.view({ token: wrong }))).status).toBe(404)
      expect((await refusal(visitor().waitingOffers.accept({ token: wrong }))).status).toBe(404)
    }
    await admin.contacts.delete({ id: contactId })
    expect((await refusal(visitor().waitingOffers.view({ token }))).status).toBe(404)
    expect((await refusal(visitor().waitingOffers.accept({ token }))).status).toBe(404)
    const one = visitor()
    const states = await Promise.all(
      Array.from({ length: 70 }, () => refusal(one.waitingOffers.view({ token })).then(({ status }) => status)),
    )
    expect(states.filter((status) => status === 429)).toHaveLength(10)
  })
})

describe('a patient on the booking page', () => {
  const codesTo = (email: string) =>
    emailsTo(email)
      .map(({ Subject = '' }) => codeInSubject(Subject))
      .filter(Boolean)
  const times = { weekdays: [2], dayParts: ['morning' as const], fromDay: '2026-12-01', toDay: '2026-12-31' }
  async function prove(visitTypeId: string, given: { email?: string; startsAt?: string | null; providerId?: string } = {}) {
    const client = visitor()
    const [key, email] = [randomUUID(), given.email ?? `${randomUUID()}@mail.example`]
    const before = codesTo(email).length
    await client.selfBooking.begin({
      key,
      visitTypeId,
      startsAt: null,
      firstName: 'Anna',
      lastName: 'Rossi',
      email,
      language: 'fr',
      words: 'Seulement le matin',
      ...given,
    })
    await until(() => codesTo(email).length > before)
    return { client, key, email, held: await client.selfBooking.prove({ key, code: codesTo(email)[0]! }) }
  }

  it('joins the waiting list once the address is proved, as a lead, once, and gets an email (issue 29)', async () => {
    const visit = await addVisit()
    await full(visit.id)
    const unproven = { key: randomUUID(), ...times }
    expect(await codeOf(visitor().selfBooking.wait(unproven))).toBe('OVER')
    const { client, key, email, held } = await prove(visit.id, { providerId: practice.provider.id })
    expect(held).toEqual({ heldUntil: null, startsAt: null, provider: null, terms: null })
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('TAKEN')
    await Promise.all([1, 2, 3].map(() => client.selfBooking.wait({ key, ...times })))
    const [entry, ...more] = await practice.desk.waitingList.list({ visitTypeId: visit.id })
    expect(more).toEqual([])
    expect(entry).toMatchObject({ contact: { firstName: 'Anna' }, weekdays: [2], note: 'Seulement le matin', createdBy: null })
    expect(await practice.timelineOf(entry!.contact.id)).toContain(`Added to the waiting list by the patient: ${visit.name}`)
    const sent = () => emailsTo(email).filter(({ Subject = '' }) => Subject.startsWith('Vous êtes sur la liste d’attente'))
    await until(() => sent().length > 0)
    expect(sent()).toHaveLength(1)
    expect(sent()[0]!.TextBody).toContain(
      `Vous attendez\u00a0: ${visit.nameFr ?? visit.name}. Vos disponibilités\u00a0:\n\nAvec Dr. Okafor\nMardi\n`,
    )
    expect(sent()[0]!.HtmlBody).toContain('Mardi<br>Le matin<br>Du 1er décembre 2026 au 31 décembre 2026</p>')
    const token = /\/waiting\/([\w~-]+)\?language=fr/.exec(sent()[0]!.TextBody ?? '')![1]!
    const suits = { weekdays: [2], dayParts: ['morning'], fromDay: '2026-12-01', toDay: '2026-12-31' }
    const shown = { firstName: 'Anna', visit: visit.name, visitFr: visit.nameFr, provider: 'Dr. Okafor', ...suits, bookableId: visit.id }
    expect(await client.waitingOffers.place({ token })).toEqual({ ...shown, status: 'waiting' })
    for (const _ of [1, 2]) expect(await client.waitingOffers.leave({ token })).toEqual({ ...shown, status: 'ended' })
    expect(await practice.timelineOf(entry!.contact.id)).toContain('Taken off the waiting list by the patient')
    expect(await practice.desk.waitingList.list({ visitTypeId: visit.id })).toEqual([])
    // A token opens its own kind of link only.
    for (const wrong of [entry!.id, token.slice(1)]) expect(await codeOf(client.waitingOffers.leave({ token: wrong }))).toBe('NOT_FOUND')
    expect(await codeOf(client.waitingOffers.view({ token }))).toBe('NOT_FOUND')
    const [row] = await server.rows('select booker, status from booking_holds where id = $1', [key])
    expect(row).toEqual({ booker: null, status: 'booked' })
    expect(await server.rows('select 1 from contacts where lower(email) = $1', [email])).toHaveLength(1)
  })

  it('joins it instead of booking a held time, which is free again, and not for a visit that is no longer offered (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key, held } = await prove(visit.id, { startsAt: ten })
    expect(held).toMatchObject({ startsAt: ten })
    await client.selfBooking.wait({ key, ...times, fromDay: '2026-12-15' })
    expect(await server.rows('select 1 from time_holds where starts_at = $1', [ten])).toEqual([])
    expect((await refusal(client.selfBooking.wait({ key, ...times, toDay: '2026-11-01' }))).status).toBe(422)
    const next = await prove(visit.id)
    const { isActive: __, ...fields } = visit
    await admin.availability.changeVisitType({ ...fields, isActive: true, isOnline: false })
    expect(await codeOf(next.client.selfBooking.wait({ key: next.key, ...times }))).toBe('NO_VISIT')
  })
})
