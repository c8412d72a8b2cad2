import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../test/care/appointments.ts'
import { healthy, publishForm } from '../../../test/chart/sent-forms.ts'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { codeOf as codeInSubject, portalOf } from '../../../test/portal.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, clientOf } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { starters } from '../../chart/forms/starters.ts'
import type { Scope } from '../../kernel/scope.ts'
import { endBookings, releaseTime } from './jobs.ts'

const practice = usePractice({ TRUST_PROXY: 'true' })
const { server, clock } = practice
let [admin, second]: [Client, Account] = [] as never
/** Tuesday, December 1, 2026, 10:00 in Toronto. */
const ten = '2026-12-01T15:00:00.000Z'
const at = (time: string) => `2026-12-01T${time}:00.000Z`

beforeAll(async () => {
  admin = await server.as('admin')
  second = await server.account({ role: 'provider' })
})
beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
  await server.rows('delete from booking_holds')
  await server.rows('delete from rate_limits')
})

type NewVisitType = Parameters<Client['availability']['addVisitType']>[0]
const visitFields = () => ({
  name: randomUUID(),
  nameFr: null,
  description: null,
  descriptionFr: null,
  type: 'consult' as const,
  minutes: 45,
  bufferBefore: 0,
  bufferAfter: 15,
  noticeHours: 24,
  horizonDays: 90,
  changeHours: 24,
  maxPerDay: null,
  patients: 'all' as const,
  isOnline: true,
  providerIds: [practice.provider.id],
  secondIds: [],
  roomIds: [],
})
const addVisit = (given: Partial<NewVisitType> = {}) => admin.availability.addVisitType({ ...visitFields(), ...given })

let visitors = 0
/** A browser without a session, from a network address of its own. */
const visitor = (): Client => {
  const address = `198.51.${Math.floor(++visitors / 250)}.${visitors % 250}`
  return clientOf(server.url, undefined, { 'x-forwarded-for': address })
}
type Beginning = Parameters<Client['selfBooking']['begin']>[0]
const beginning = (visitTypeId: string, given: Partial<Beginning> = {}): Beginning => ({
  key: randomUUID(),
  visitTypeId,
  startsAt: ten,
  firstName: 'Anna',
  lastName: 'Rossi',
  email: `${randomUUID()}@mail.example`,
  language: 'en',
  ...given,
})
const codesTo = (email: string) =>
  server.outbox.messages.filter(({ To }) => To === email).flatMap(({ Subject }) => codeInSubject(Subject) || [])
/** The latest code to an address that had `before` codes. */
const codeFor = async (email: string, before = 0): Promise<string> => {
  await until(() => codesTo(email).length > before)
  return codesTo(email)[0]!
}
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
/** Goes as far as the held time. */
async function hold(visitTypeId: string, given: Partial<Beginning> = {}, client = visitor()) {
  const begun = beginning(visitTypeId, given)
  const before = codesTo(begun.email).length
  await client.selfBooking.begin(begun)
  const held = await client.selfBooking.prove({ key: begun.key, code: await codeFor(begun.email, before) })
  return { ...begun, client, held }
}
async function bookOnline(visitTypeId: string, given: Partial<Beginning> = {}) {
  const { client, key, ...begun } = await hold(visitTypeId, given)
  return { client, key, ...begun, booked: await client.selfBooking.confirm({ key }) }
}
const holdsAt = async (startsAt: string) =>
  (await server.rows<{ id: string }>('select resource_id as id from time_holds where starts_at = $1 order by what', [startsAt])).map(
    ({ id }) => id,
  )
const startsOf = async (visitTypeId: string) => {
  const { days } = await visitor().selfBooking.openings({ visitTypeId, from: '2026-12-01', days: 1 })
  return days.flatMap(({ starts }) => starts)
}
const run = (job: typeof endBookings | typeof releaseTime, payload: object = {}) =>
  job.run(server.running.runtime as unknown as Scope, payload as never, { last: false })

describe('the page where patients book', () => {
  it('offers active visits that may be booked online, with their active providers, and the practice (issue 29)', async () => {
    const visit = await addVisit({ nameFr: 'Première consultation', providerIds: [practice.provider.id, second.id] })
    const hidden = await addVisit({ isOnline: false })
    const { visits, practice: shown } = await visitor().selfBooking.offers()
    const found = visits.find(({ id }) => id === visit.id)
    expect(found).toMatchObject({ nameFr: 'Première consultation', minutes: 45, changeHours: 24 })
    expect(found!.providers.map(({ id }) => id).toSorted()).toEqual([practice.provider.id, second.id].toSorted())
    expect(visits.some(({ id }) => id === hidden.id)).toBe(false)
    expect(shown).toMatchObject({ timeZone: 'America/Toronto' })
    expect(await codeOf(visitor().selfBooking.openings({ visitTypeId: hidden.id, from: '2026-12-01', days: 1 }))).toBe('NO_VISIT')
  })

  it('shows times with the visit’s notice and horizon, and the next one (issue 29)', async () => {
    const visit = await addVisit({ horizonDays: 10 })
    clock.now = new Date('2026-11-30T16:05:00Z')
    const { days, next } = await visitor().selfBooking.openings({ visitTypeId: visit.id, from: '2026-11-30', days: 14 })
    expect(days[0]).toMatchObject({ day: '2026-12-01' })
    expect(days[0]!.starts[0]).toBe('2026-12-01T16:15:00.000Z')
    expect(next).toEqual({ day: '2026-12-01', startsAt: '2026-12-01T16:15:00.000Z' })
    expect(days.at(-1)!.day).toBe('2026-12-10')
  })
})

describe('a booking', () => {
  it('becomes a lead and an appointment, with stage, timeline, attribution, email and calendar file (issue 29)', async () => {
    const visit = await addVisit()
    const attribution = { utm_source: 'instagram', landing_page: 'https://clinic.example/nose' }
    const { email, booked } = await bookOnline(visit.id, { language: 'fr', phone: '905-555-0142', words: 'After my vacation', attribution })
    expect(booked).toMatchObject({ startsAt: ten, minutes: 45, provider: 'Dr. Okafor', link: expect.stringMatching(/^\/appointment\/./) })
    const [contact] = await server.rows<{ id: string }>(
      `select contacts.id, preferred_language, phone, lead_source_text as source, import_source as form, funnel_stages.value as stage, first_attribution->>'utmSource' as utm
       from contacts join funnel_stages on funnel_stages.id = funnel_stage where email = $1`,
      [email],
    )
    expect(contact).toMatchObject({
      preferred_language: 'fr',
      phone: '905-555-0142',
      source: 'instagram',
      form: 'Lead form: Online booking',
      stage: 'consult_booked',
      utm: 'instagram',
    })
    const contactId = contact!.id
    const [appointment] = await practice.desk.appointments.ofContact({ contactId })
    expect(appointment).toMatchObject({ visitTypeId: visit.id, bufferAfter: 15, notes: 'After my vacation', notifiesPatient: true })
    expect(await practice.timelineOf(contactId)).toContain(
      'Consultation booked by the patient for Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor',
    )
    const mail = await until(() => server.outbox.messages.find((one) => one.To === email && codeInSubject(one.Subject) === ''))
    expect(mail.Attachments!.map(({ Name }) => Name)).toContain('appointment.ics')
    const [hold] = await server.rows('select status, booker, code_hash from booking_holds')
    expect(hold).toEqual({ status: 'booked', booker: null, code_hash: null })
  })

  it('meets its patient as leads do, and notes another name (issue 29)', async () => {
    const visit = await addVisit()
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { firstName: 'Maria', lastName: 'Rossi', email, phone: null })
    const { booked } = await bookOnline(visit.id, { email: email.toUpperCase(), phone: '905-555-0143' })
    expect(booked.startsAt).toBe(ten)
    const appointments = await practice.desk.appointments.ofContact({ contactId })
    expect(appointments.map(({ notes }) => notes)).toEqual(['Booked online under the name Anna Rossi.'])
    expect(await practice.desk.contacts.get({ id: contactId })).toMatchObject({ firstName: 'Maria', phone: '905-555-0143' })
  })

  it('belongs to the proved address alone, not to one that looks like it (issue 29)', async () => {
    const visit = await addVisit()
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { email })
    await bookOnline(visit.id, { email: `'${email}` })
    expect(await practice.desk.appointments.ofContact({ contactId })).toEqual([])
    expect(await server.rows('select 1 from contacts where email = $1', [`'${email}`])).toHaveLength(1)
  })

  it('is made once, however often its steps are sent (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    const begun = beginning(visit.id)
    await Promise.all(Array.from({ length: 3 }, () => client.selfBooking.begin(begun)))
    expect(await codeOf(client.selfBooking.begin({ ...begun, email: 'other@mail.example' }))).toBe('KEY_REUSED')
    const code = await codeFor(begun.email)
    expect(server.outbox.messages.filter(({ To }) => To === begun.email)).toHaveLength(1)
    const { key } = begun
    const held = await Promise.all(Array.from({ length: 3 }, () => client.selfBooking.prove({ key, code })))
    expect(new Set(held.map(({ startsAt }) => startsAt))).toEqual(new Set([ten]))
    expect(await holdsAt(ten)).toEqual([practice.provider.id])
    const booked = await Promise.all(Array.from({ length: 4 }, () => client.selfBooking.confirm({ key })))
    expect(new Set(booked.map(({ startsAt }) => startsAt))).toEqual(new Set([ten]))
    expect(await server.rows('select 1 from appointments where idempotency_key = $1', [key])).toHaveLength(1)
    // However often it is confirmed, it has one link.
    expect(new Set(booked.map(({ link }) => link)).size).toBe(1)
    const ofVisit = 'select 1 from appointment_links where appointment_id = (select id from appointments where idempotency_key = $1)'
    expect(await server.rows(ofVisit, [key])).toHaveLength(1)
    await client.selfBooking.leave({ key })
    expect((await client.selfBooking.confirm({ key })).startsAt).toBe(ten)
  })

  it('holds nothing before its address is proved (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    const begun = beginning(visit.id)
    await client.selfBooking.begin(begun)
    expect(await holdsAt(ten)).toEqual([])
    expect(await startsOf(visit.id)).toContain(ten)
    expect(await codeOf(client.selfBooking.confirm({ key: begun.key }))).toBe('OVER')
    expect(await codeOf(client.selfBooking.hold({ key: begun.key, startsAt: ten }))).toBe('OVER')
    const other = await bookOnline(visit.id)
    expect(other.booked.startsAt).toBe(ten)
    // The address is proved all the same, and another time can be held.
    const { key } = begun
    expect(await codeOf(client.selfBooking.prove({ key, code: await codeFor(begun.email) }))).toBe('TAKEN')
    expect(await client.selfBooking.hold({ key, startsAt: at('16:00') })).toMatchObject({ startsAt: at('16:00') })
    expect((await client.selfBooking.confirm({ key })).startsAt).toBe(at('16:00'))
  })

  it('keeps its held time from patients and staff, and frees it for the next one chosen (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key } = await hold(visit.id)
    expect(await holdsAt(ten)).toEqual([practice.provider.id])
    expect(await startsOf(visit.id)).not.toContain(ten)
    expect(await codeOf(visitor().selfBooking.begin(beginning(visit.id)))).toBe('TAKEN')
    const byStaff = await refusal(practice.book({ providerId: practice.provider.id, startsAt: ten }))
    expect(byStaff).toMatchObject({ code: 'OVERLAP', data: { what: 'provider', by: 'booking' } })
    await client.selfBooking.hold({ key, startsAt: at('17:00') })
    expect(await holdsAt(ten)).toEqual([])
    await practice.book({ providerId: practice.provider.id, startsAt: ten })
    expect(await codeOf(client.selfBooking.hold({ key, startsAt: at('15:15') }))).toBe('TAKEN')
    expect(await holdsAt(at('17:00'))).toEqual([practice.provider.id])
    // A page that is left frees its time, and takes it again without another code.
    await client.selfBooking.free({ key })
    expect(await holdsAt(at('17:00'))).toEqual([])
    expect(await client.selfBooking.hold({ key, startsAt: at('17:00') })).toMatchObject({ startsAt: at('17:00') })
    expect(await holdsAt(at('17:00'))).toEqual([practice.provider.id])
    await client.selfBooking.leave({ key })
    expect(await holdsAt(at('17:00'))).toEqual([])
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('OVER')
  })

  it('ends when it is abandoned: its time is free after ten minutes, and its data erased after an hour (issue 29)', async () => {
    const visit = await addVisit()
    const { key, client, held } = await hold(visit.id)
    expect(held.heldUntil).toBe('2026-11-21T15:10:00.000Z')
    await run(releaseTime, { id: key })
    expect(await holdsAt(ten)).toHaveLength(1)
    clock.now = new Date('2026-11-21T15:10:00Z')
    await run(releaseTime, { id: key })
    expect(await holdsAt(ten)).toEqual([])
    await client.selfBooking.hold({ key, startsAt: ten })
    clock.now = new Date('2026-11-21T16:00:00Z')
    await run(endBookings)
    expect(await server.rows('select status, booker from booking_holds')).toEqual([{ status: 'over', booker: null }])
    expect(await codeOf(client.selfBooking.hold({ key, startsAt: ten }))).toBe('OVER')
    clock.now = new Date('2026-11-22T16:00:01Z')
    await run(endBookings)
    expect(await server.rows('select 1 from booking_holds')).toEqual([])
  })

  it('holds one time for an address, however many tabs are open (issue 29)', async () => {
    const visit = await addVisit()
    const { email, client, key } = await hold(visit.id)
    await hold(visit.id, { email, startsAt: at('18:00') })
    expect(await holdsAt(ten)).toEqual([])
    expect(await holdsAt(at('18:00'))).toEqual([practice.provider.id])
    // Whichever is confirmed is booked, if it is still free.
    expect((await client.selfBooking.confirm({ key })).startsAt).toBe(ten)
    expect(await holdsAt(at('18:00'))).toEqual([])
  })

  it('takes a provider, a room and a second person who are free, and books what it held (issue 29)', async () => {
    const room = practice.rooms[0]!
    const nurse = await server.account({ role: 'front_desk' })
    const visit = await addVisit({ providerIds: [practice.provider.id, second.id], secondIds: [nurse.id], roomIds: [room.id] })
    await practice.book({ providerId: practice.provider.id, startsAt: ten })
    const { key, client } = await hold(visit.id)
    expect((await holdsAt(ten)).toSorted()).toEqual([practice.provider.id, second.id, nurse.id, room.id].toSorted())
    await client.selfBooking.confirm({ key })
    const [row] = await server.rows('select provider_id, second_person_id, room_id from appointments where idempotency_key = $1', [key])
    expect(row).toEqual({ provider_id: second.id, second_person_id: nurse.id, room_id: room.id })
  })
})

describe('a code', () => {
  it('is refused after five wrong ones, until another is sent (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    const { key, ...begun } = beginning(visit.id)
    await client.selfBooking.begin({ key, ...begun })
    const code = await codeFor(begun.email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let attempt = 0; attempt < 5; attempt++) expect(await codeOf(client.selfBooking.prove({ key, code: wrong }))).toBe('INVALID_CODE')
    expect(await codeOf(client.selfBooking.prove({ key, code }))).toBe('INVALID_CODE')
    await client.selfBooking.resend({ key })
    expect(await client.selfBooking.prove({ key, code: await codeFor(begun.email, 1) })).toMatchObject({ startsAt: ten })
  })

  it('expires after ten minutes, and opens no other booking (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    const [one, other] = [beginning(visit.id), beginning(visit.id)]
    await client.selfBooking.begin(one)
    await client.selfBooking.begin(other)
    const code = await codeFor(one.email)
    await codeFor(other.email)
    expect(await codeOf(client.selfBooking.prove({ key: other.key, code }))).toBe('INVALID_CODE')
    expect(await codeOf(client.selfBooking.prove({ key: randomUUID(), code }))).toBe('OVER')
    clock.now = new Date('2026-11-21T15:10:01Z')
    expect(await codeOf(client.selfBooking.prove({ key: one.key, code }))).toBe('INVALID_CODE')
  })

  it('is sent to an address three times in 15 minutes at most (issue 29)', async () => {
    const visit = await addVisit()
    const email = `${randomUUID()}@mail.example`
    for (let attempt = 0; attempt < 3; attempt++) await visitor().selfBooking.begin(beginning(visit.id, { email }))
    const fourth = beginning(visit.id, { email })
    expect(await codeOf(visitor().selfBooking.begin(fourth))).toBe('TOO_MANY_REQUESTS')
    expect(await server.rows('select 1 from booking_holds where id = $1', [fourth.key])).toEqual([])
  })
})

describe('a time whose minutes are over', () => {
  it('is booked if it is still free, and refused if it was taken (issue 29)', async () => {
    const visit = await addVisit()
    const [first, later] = [await hold(visit.id), await hold(visit.id, { startsAt: at('17:00') })]
    clock.now = new Date('2026-11-21T15:10:00Z')
    for (const { key } of [first, later]) await run(releaseTime, { id: key })
    await practice.book({ providerId: practice.provider.id, startsAt: at('17:00') })
    expect((await first.client.selfBooking.confirm({ key: first.key })).startsAt).toBe(ten)
    expect(await codeOf(later.client.selfBooking.confirm({ key: later.key }))).toBe('TAKEN')
  })

  it('is shown as booked by a page that confirms it while another one does (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key } = await hold(visit.id)
    clock.now = new Date('2026-11-21T15:10:00Z')
    await run(releaseTime, { id: key })
    const lock = await server.hold('lock table visit_type_people in access exclusive mode')
    const confirmed = client.selfBooking.confirm({ key })
    await until(
      async () => (await server.rows("select from pg_locks where not granted and relation = 'visit_type_people'::regclass")).length > 0,
    )
    const contactId = await insertContact(server)
    await server.rows(
      `with visit as (insert into appointments (contact_id, type, provider_id, starts_at, ends_at, created_at, updated_at)
         select $2, 'consult', provider_id, starts_at, ends_at, now(), now() from booking_holds where id = $1 returning id)
       update booking_holds set status = 'booked', booker = null, appointment_id = visit.id from visit where booking_holds.id = $1`,
      [key, contactId],
    )
    await lock.release()
    expect(await confirmed).toMatchObject({ startsAt: ten })
  })

  it('holds a time for at most 60 bookings of a network address in an hour, and for none of the others by a detour (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    await hold(visit.id, {}, client)
    await server.rows("update rate_limits set points = 60 where key like 'booking-hold:%'")
    const begun = beginning(visit.id, { startsAt: at('16:00') })
    const { key } = begun
    await client.selfBooking.begin(begun)
    const code = await codeFor(begun.email)
    const { selfBooking } = client
    expect(await codeOf(selfBooking.prove({ key, code }))).toBe('TOO_MANY_REQUESTS')
    expect(await codeOf(selfBooking.hold({ key, startsAt: at('16:00') }))).toBe('TOO_MANY_REQUESTS')
    expect(await codeOf(selfBooking.prove({ key, code }))).toBe('TOO_MANY_REQUESTS')
    expect(await codeOf(selfBooking.pay({ key, language: 'en', acceptsTerms: true }))).toBe('TOO_MANY_REQUESTS')
    expect(await codeOf(selfBooking.confirm({ key }))).toBe('TOO_MANY_REQUESTS')
    expect(await holdsAt(at('16:00'))).toEqual([])
  })

  it('changes its time as often as others of its network address leave room: 120 in 15 minutes (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key } = await hold(visit.id)
    await client.selfBooking.hold({ key, startsAt: at('16:00') })
    await server.rows("update rate_limits set points = 120 where key like 'booking-change:%'")
    expect(await codeOf(client.selfBooking.hold({ key, startsAt: ten }))).toBe('TOO_MANY_REQUESTS')
    // What is held can be booked all the same.
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: at('16:00') })
  })

  it('leaves room for everyone else behind the same network address (issue 29)', async () => {
    const visit = await addVisit()
    const client = visitor()
    const { key } = await hold(visit.id, {}, client)
    for (let step = 0; step < 70; step++) await client.selfBooking.confirm({ key })
    const { held } = await hold(visit.id, { startsAt: at('16:00') }, client)
    expect(held.startsAt).toBe(at('16:00'))
  })
})

describe('who may book', () => {
  it('is not disclosed before the address is proved (issue 29)', async () => {
    const [forNew, forKnown] = [await addVisit({ patients: 'new' }), await addVisit({ patients: 'known' })]
    const known = `${randomUUID()}@mail.example`
    await insertContact(server, { email: known })
    const unknown = `${randomUUID()}@mail.example`
    const client = visitor()
    const answers = []
    for (const visitTypeId of [forNew.id, forKnown.id])
      for (const email of [known, unknown]) answers.push(Object.keys(await client.selfBooking.begin(beginning(visitTypeId, { email }))))
    expect(new Set(answers.map(String))).toEqual(new Set(['codeExpiresAt']))
    expect((await hold(forKnown.id, { email: known })).held.startsAt).toBe(ten)
    const refused = beginning(forKnown.id, { startsAt: at('18:00') })
    await client.selfBooking.begin(refused)
    const { key } = refused
    expect(await codeOf(client.selfBooking.prove({ key, code: await codeFor(refused.email) }))).toBe('NOT_FOR_YOU')
    // Nor can a later step.
    expect(await codeOf(client.selfBooking.hold({ key, startsAt: at('18:00') }))).toBe('NOT_FOR_YOU')
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('NOT_FOR_YOU')
    expect(await codeOf(hold(forNew.id, { email: known, startsAt: at('19:00') }))).toBe('NOT_FOR_YOU')
  })

  it('has three upcoming visits at most (issue 29)', async () => {
    const visit = await addVisit()
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { email })
    for (const hour of ['15', '16', '17']) await practice.book({ contactId, startsAt: `2026-12-02T${hour}:00:00Z` })
    expect(await codeOf(hold(visit.id, { email }))).toBe('TOO_MANY_VISITS')
    expect(await holdsAt(ten)).toEqual([])
  })

  it.each<[Partial<Beginning>, string[]]>([
    [{ firstName: ' ' }, ['firstName']],
    [{ lastName: 'See www.cheap.example' }, ['lastName']],
    [{ email: 'anna' }, ['email']],
    [{ words: `${'long '.repeat(200)}.` }, ['words']],
    [{ startsAt: 'tomorrow' }, ['startsAt']],
  ])('is named the fields that are wrong, and nothing is stored: %j (issue 29)', async (given, fields) => {
    const visit = await addVisit()
    const before = await databaseFingerprint(server)
    const refused = await refusal(visitor().selfBooking.begin(beginning(visit.id, given)))
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.data.fields!)).toEqual(fields)
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it.each([
    ['off the grid', '2026-12-01T15:05:00Z'],
    ['in the past', '2026-11-20T15:00:00Z'],
    ['sooner than its notice', '2026-11-23T14:00:00Z'],
    ['beyond its horizon', '2027-03-02T15:00:00Z'],
    ['when the practice is closed', '2026-12-01T23:00:00Z'],
  ])('gets no time %s (issue 29)', async (_, startsAt) => {
    const visit = await addVisit({ noticeHours: 48 })
    expect(await codeOf(visitor().selfBooking.begin(beginning(visit.id, { startsAt })))).toBe('TAKEN')
  })
})

describe('the forms of a visit', () => {
  const titled = (en: string, fr: string) => ({ ...starters.covid, title: { en, fr } })
  /** Two published forms, in the order in which they are shown. */
  const addForms = async () => {
    const first = await publishForm(admin, titled('Medical history', 'Antécédents médicaux'))
    return [first.id, (await publishForm(admin, titled('Lifestyle', 'Mode de vie'))).id]
  }
  const portal = portalOf(server)
  /** The session of a patient who follows a link, with the code from the next email. */
  const open = async (email: string) => {
    const before = codesTo(email).length
    await portal.call('request-document-access', { email })
    const { body } = await portal.call('verify-document-access', { email, otp: await codeFor(email, before) })
    const [contact] = await server.rows<{ id: string }>('select id from contacts where email = $1', [email])
    return { contactId: contact!.id, sessionToken: body!.sessionToken }
  }
  const idIn = (link: string) => /\/forms\/([^?]+)/.exec(link)![1]!

  it('are sent with the booking, once, and the patient opens them by their links with a code (issue 29)', async () => {
    const visit = await addVisit({ formIds: await addForms() })
    const { client, key, email, booked } = await bookOnline(visit.id, { language: 'fr' })
    expect(booked.forms).toMatchObject([
      { name: 'Medical history', nameFr: 'Antécédents médicaux' },
      { name: 'Lifestyle', nameFr: 'Mode de vie' },
    ])
    const ids = booked.forms.map(({ link }) => idIn(link))
    expect(booked.forms[0]!.link).toBe(`/forms/${ids[0]}?language=fr&email=${encodeURIComponent(email)}`)
    // Confirmed once more, it has the same forms.
    expect((await client.selfBooking.confirm({ key })).forms).toEqual(booked.forms)
    const session = await open(email)
    const sent = await practice.desk.forms.ofContact({ contactId: session.contactId })
    expect(sent.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(sent[0]).toMatchObject({ status: 'sent', sentVia: 'email', sentTo: email, sentBy: null, language: 'fr' })
    // One email has both links. It names neither form.
    const emails = () => portal.emailsTo(email).filter(({ Subject = '' }) => /formulaires? à remplir/.test(Subject))
    await until(() => emails().length > 0)
    expect(emails().map(({ Subject }) => Subject?.split(' pour ')[0])).toEqual(['2 formulaires à remplir'])
    for (const id of ids) expect(emails()[0]!.TextBody).toContain(`/forms/${id}?language=fr`)
    expect(emails()[0]!.TextBody).not.toMatch(/Antécédents|Mode de vie/)
    for (const id of ids) expect((await portal.call('patient-form-fetch', { ...session, id })).status).toBe(200)
  })

  it('are not sent again while they are open or were submitted lately, and nothing is shown of those (issue 29)', async () => {
    const [history, lifestyle] = await addForms()
    const visit = await addVisit({ formIds: [history!, lifestyle!] })
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(server, { email })
    await practice.desk.forms.send({ contactId, templateId: history!, email: null })
    const { booked } = await bookOnline(visit.id, { email })
    expect(booked.forms.map(({ name }) => name)).toEqual(['Lifestyle'])
    const id = idIn(booked.forms[0]!.link)
    await server.rows("update forms set status = 'submitted', submitted_at = $2 where id = $1", [id, clock.now])
    expect((await bookOnline(visit.id, { email, startsAt: at('17:00') })).booked.forms).toEqual([])
    // Two months later, both are asked again.
    clock.now = new Date('2027-01-25T15:00:00Z')
    const later = await bookOnline(visit.id, { email, startsAt: '2027-02-02T15:00:00.000Z' })
    expect(later.booked.forms.map(({ name }) => name)).toEqual(['Medical history', 'Lifestyle'])
  })

  it('that are no longer active are left out, and cannot be chosen (issue 29)', async () => {
    const [history, lifestyle] = await addForms()
    const visit = await addVisit({ formIds: [history!, lifestyle!] })
    expect(visit.formIds).toEqual([history, lifestyle])
    await admin.forms.setActive({ id: history!, isActive: false })
    expect((await bookOnline(visit.id)).booked.forms.map(({ name }) => name)).toEqual(['Lifestyle'])
    for (const id of [history!, randomUUID()])
      expect(await refusal(addVisit({ formIds: [id] }))).toMatchObject({
        status: 422,
        data: { fields: { formIds: 'One of these forms is not available' } },
      })
    const many = Array.from({ length: 6 }, () => randomUUID())
    expect((await refusal(addVisit({ formIds: many }))).data.fields).toEqual({ formIds: 'At most 5' })
    // Those that it has may stay.
    const { id, version } = visit
    const changed = await admin.availability.changeVisitType({ ...visitFields(), id, version, isActive: true, formIds: visit.formIds })
    expect(changed.formIds).toEqual(visit.formIds)
    const none = await admin.availability.changeVisitType({ ...visitFields(), id, version: version + 1, isActive: true })
    expect(none.formIds).toEqual([])
  })

  it('give their red flags to the patient’s provider, else to the front desk, since no one has sent them (issue 29)', async () => {
    const { id: templateId } = await publishForm(admin)
    const visit = await addVisit({ formIds: [templateId] })
    const submit = async (email: string, startsAt: string) => {
      const { booked } = await bookOnline(visit.id, { email, startsAt })
      const own = { ...(await open(email)), id: idIn(booked.forms[0]!.link), language: 'en' }
      await portal.call('patient-form-save', { ...own, revision: 0, changes: { ...healthy, close_contact: true } })
      expect((await portal.call('patient-form-submit', { ...own, revision: 1 })).status).toBe(200)
      return server.rows(
        `select profiles.id, role from tasks join task_assignees on task_id = tasks.id join profiles on profiles.id = profile_id
         where title = 'A submitted form needs follow-up' and contact_id = $1`,
        [own.contactId],
      )
    }
    expect(await submit(`${randomUUID()}@mail.example`, ten)).toMatchObject([{ role: 'front_desk' }])
    const known = `${randomUUID()}@mail.example`
    await insertContact(server, { email: known })
    await server.rows('update contacts set assigned_provider_id = $2 where email = $1', [known, practice.provider.id])
    expect(await submit(known, at('17:00'))).toMatchObject([{ id: practice.provider.id }])
  })
})

describe('200 patients at once', () => {
  it('get 20 times of two providers, none twice (issue 29)', async () => {
    const visit = await addVisit({ minutes: 15, bufferAfter: 0, providerIds: [practice.provider.id, second.id], horizonDays: 90 })
    const starts = Array.from({ length: 10 }, (_, index) => new Date(Date.parse(ten) + index * 15 * 60_000).toISOString())
    const key = () => randomUUID()
    const rows = Array.from({ length: 200 }, (_, index) => ({ key: key(), startsAt: starts[index % starts.length]! }))
    // Their addresses are proved, as the tests above do by code.
    await server.rows(
      `insert into booking_holds (id, visit_type_id, starts_at, ends_at, booker, proven_at, expires_at, created_at)
       select id, $1, starts_at, starts_at + interval '15 minutes', jsonb_build_object('firstName', 'Anna', 'lastName', 'Rossi', 'email', id || '@mail.example',
         'phone', null, 'language', 'en', 'words', null, 'attribution', '{}'::jsonb), $4, $4::timestamptz + interval '1 hour', $4
       from unnest($2::uuid[], $3::timestamptz[]) as given (id, starts_at)`,
      [visit.id, rows.map((row) => row.key), rows.map(({ startsAt }) => startsAt), clock.now],
    )
    const outcomes = await Promise.all(
      rows.map(async ({ key: id, startsAt }) => {
        const client = visitor()
        try {
          await client.selfBooking.hold({ key: id, startsAt })
          return (await client.selfBooking.confirm({ key: id })).startsAt
        } catch (error) {
          return (error as { code: string }).code
        }
      }),
    )
    expect(outcomes.filter((outcome) => outcome === 'TAKEN')).toHaveLength(180)
    expect(outcomes.filter((outcome) => outcome !== 'TAKEN').toSorted()).toEqual([...starts, ...starts].toSorted())
    const taken = await server.rows<{ n: number }>(
      `select count(*)::int as n from appointments where visit_type_id = $1 and status = 'booked' group by provider_id, starts_at`,
      [visit.id],
    )
    expect(taken.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, () => 1))
  })
})
