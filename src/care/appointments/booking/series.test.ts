import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { insertContact } from '../../../../test/factories.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { refusal } from '../../../../test/refusal.ts'
import type { Client } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

const practice = usePractice()
const { server, clock } = practice
let admin: Client
let visitTypeId = ''

/** Tuesday, December 1, 2026 at 10:00 in Toronto, and three weeks later each. */
const tuesdays = ['2026-12-01', '2026-12-22', '2027-01-12', '2027-02-02'].map((day) => `${day}T15:00:00.000Z`)

const addSeries = (given: { seriesVisits?: number | null; seriesWeeks?: number | null } = {}) =>
  admin.availability.addVisitType({
    name: randomUUID(),
    nameFr: null,
    description: null,
    descriptionFr: null,
    type: 'treatment',
    minutes: 45,
    bufferBefore: 0,
    bufferAfter: 0,
    noticeHours: 0,
    horizonDays: 90,
    changeHours: 24,
    seriesVisits: 4,
    seriesWeeks: 3,
    maxPerDay: null,
    patients: 'all',
    isOnline: false,
    providerIds: [practice.provider.id],
    secondIds: [],
    roomIds: [],
    ...given,
  })

beforeAll(async () => {
  admin = await server.as('admin')
  visitTypeId = (await addSeries()).id
})
beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over'")
  await server.rows('delete from closed_days')
})

type Series = Parameters<Client['appointments']['bookSeries']>[0]
const series = async (given: Partial<Series> = {}): Promise<Series> => ({
  contactId: given.contactId ?? (await insertContact(server)),
  type: 'treatment',
  visitTypeId,
  starts: tuesdays,
  minutes: 45,
  idempotencyKey: randomUUID(),
  ...given,
})
const bookSeries = async (given?: Partial<Series>) => practice.desk.appointments.bookSeries(await series(given))
const datesOf = async (startsAt: string, id = visitTypeId) =>
  (await practice.desk.appointments.seriesDates({ visitTypeId: id, startsAt, minutes: 45 })).map((date) => date.startsAt)
const statusesOf = async (contactId: string) =>
  (await practice.desk.appointments.ofContact({ contactId })).toReversed().map(({ status }) => status)
const take = (startsAt: string) => practice.book({ providerId: practice.provider.id, startsAt })

describe('the confirmation of a series', () => {
  const patient = async () => {
    const email = `${randomUUID()}@patient.example`
    return { email, contactId: await insertContact(server, { firstName: 'Ana', email }) }
  }
  /** Waits until all notifications are sent. */
  const settled = () =>
    until(async () => {
      const waiting = "select 1 from graphile_worker.jobs where task_identifier in ('appointments.notify-patient', 'inbox.send')"
      return (await server.rows(waiting)).length === 0
    })
  const kindsOf = async (id: string) => (await practice.desk.appointments.correspondence({ id })).emails.map(({ kind }) => kind)

  it('is one email that lists the times, with a calendar file for each visit (issue 29)', async () => {
    const { email, contactId } = await patient()
    const booked = await bookSeries({ contactId, notifiesPatient: true })
    await emailsTo(server, email)
    await settled()
    const emails = await emailsTo(server, email)
    expect(emails).toHaveLength(1)
    const [{ Subject, TextBody = '', Attachments = [] }] = emails as [(typeof emails)[number]]
    expect(Subject).toBe('Your appointment on Tuesday, December 1, 2026')
    expect(TextBody).toContain('Your 4 appointments:\nTuesday, December 1, 2026, 10:00 a.m.\nTuesday, December 22, 2026, 10:00 a.m.\n')
    expect(Attachments.map(({ Name }) => Name)).toEqual([1, 2, 3, 4].map((number) => `appointment-${number}.ics`))
    for (const [place, { Content, ContentType }] of Attachments.entries()) {
      const file = Buffer.from(Content, 'base64').toString('utf8')
      expect(ContentType).toContain('method=REQUEST')
      // One event in each, with the id by which later emails change it.
      expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(1)
      expect(file.replaceAll('\r\n ', '')).toContain(`UID:${booked[place]!.id}@`)
    }
    for (const { id } of booked) expect(await kindsOf(id)).toEqual(['confirmation'])
  })

  it('is followed by emails about single visits, and repeats none that was sent (issue 29)', async () => {
    const { email, contactId } = await patient()
    const booked = await bookSeries({ contactId, notifiesPatient: true })
    await emailsTo(server, email)
    const { id, version } = booked[2]!
    await practice.desk.appointments.setStatus({ id, version, status: 'cancelled', reason: 'Travels' })
    await emailsTo(server, email, 2)
    await settled()
    const subjects = (await emailsTo(server, email, 2)).map(({ Subject }) => Subject)
    expect(subjects).toHaveLength(2)
    expect(subjects).toContain('Your appointment on Tuesday, January 12, 2027 is cancelled')
    expect(await kindsOf(id)).toEqual(['cancelled', 'confirmation'])
  })

  it('is followed by one email about all visits that are cancelled together (issue 29)', async () => {
    const { email, contactId } = await patient()
    const booked = await bookSeries({ contactId, notifiesPatient: true })
    await emailsTo(server, email)
    const { id, version } = booked[1]!
    await practice.desk.appointments.setStatus({ id, version, status: 'cancelled', reason: 'Moves away', andFollowing: true })
    await emailsTo(server, email, 2)
    await settled()
    const emails = await emailsTo(server, email, 2)
    expect(emails).toHaveLength(2)
    const { TextBody = '', Attachments = [] } = emails.find(({ Subject }) => Subject?.endsWith('is cancelled'))!
    expect(TextBody).toContain(
      'These 3 appointments are cancelled:\nTuesday, December 22, 2026, 10:00 a.m.\nTuesday, January 12, 2027, 10:00 a.m.\n',
    )
    expect(TextBody).not.toContain('The link in this email')
    expect(Attachments).toHaveLength(3)
    for (const one of booked.slice(1)) expect(await kindsOf(one.id)).toEqual(['cancelled', 'confirmation'])
  })
})

describe('the dates of a series', () => {
  it('keep weekday and time, or take the nearest opening in the week (issue 29)', async () => {
    expect(await datesOf(tuesdays[0]!)).toEqual(tuesdays)
    await take(tuesdays[1]!)
    const moved = await datesOf(tuesdays[0]!)
    expect(moved).toEqual([tuesdays[0], '2026-12-22T14:15:00.000Z', ...tuesdays.slice(2)])
  })

  it('name a visit that is not possible in its week (issue 29)', async () => {
    await server.rows(
      "insert into closed_days (day, name) select day::date, 'Holidays' from generate_series('2026-12-21'::date, '2026-12-27', '1 day') as day",
    )
    const dates = await practice.desk.appointments.seriesDates({ visitTypeId, startsAt: tuesdays[0]!, minutes: 45 })
    expect(dates[1]).toEqual({ number: 2, wantedAt: tuesdays[1], startsAt: null })
    expect(dates[2]).toMatchObject({ number: 3, startsAt: tuesdays[2] })
  })

  it('keep the time on the clock when it changes (issue 29)', async () => {
    const { id } = await addSeries({ seriesVisits: 3, seriesWeeks: 1 })
    // The clock goes forward on Sunday, March 14, 2027.
    expect(await datesOf('2027-03-09T15:00:00.000Z', id)).toEqual([
      '2027-03-09T15:00:00.000Z',
      '2027-03-16T14:00:00.000Z',
      '2027-03-23T14:00:00.000Z',
    ])
  })

  it('are refused for a visit type that is not a series (issue 29)', async () => {
    const { id } = await addSeries({ seriesVisits: null, seriesWeeks: null })
    expect((await refusal(datesOf(tuesdays[0]!, id))).code).toBe('NOT_FOUND')
  })
})

describe('a series', () => {
  it('is booked at once, and each visit knows its number (issue 29)', async () => {
    const booked = await bookSeries()
    expect(booked.map(({ startsAt }) => startsAt)).toEqual(tuesdays)
    expect(booked.map(({ seriesNumber, seriesVisits }) => [seriesNumber, seriesVisits])).toEqual([1, 2, 3, 4].map((n) => [n, 4]))
    expect(new Set(booked.map(({ seriesId }) => seriesId)).size).toBe(1)
    expect(booked.every(({ providerId }) => providerId === practice.provider.id)).toBe(true)
    expect(await practice.nextOf(booked[0]!.contact.id)).toMatchObject(['2026-12-01', '10:00', null])
  })

  it('books nothing if one visit is not possible, and says which (issue 29)', async () => {
    await take(tuesdays[2]!)
    const contactId = await insertContact(server)
    const taken = await refusal(bookSeries({ contactId }))
    expect(taken).toMatchObject({ code: 'NO_OPENING', status: 409, message: expect.stringContaining('Visit 3 of 4') as string })
    expect(await statusesOf(contactId)).toEqual([])
    expect(await practice.timelineOf(contactId)).toEqual([])
    const late = await refusal(
      bookSeries({ contactId, starts: [...tuesdays.slice(0, 3).with(2, '2027-01-13T15:00:00Z'), '2027-02-02T04:00:00Z'] }),
    )
    expect(late).toMatchObject({ code: 'OUTSIDE_HOURS', message: expect.stringContaining('Visit 4 of 4') as string })
    expect(await statusesOf(contactId)).toEqual([])
  })

  it('is booked once, however often it is sent (issue 29)', async () => {
    const given = await series()
    const send = () => practice.desk.appointments.bookSeries(given)
    const [first, second] = await Promise.all([send(), send()])
    expect(second).toEqual(first)
    expect(await send()).toEqual(first)
    const other = await refusal(practice.desk.appointments.bookSeries({ ...given, starts: given.starts.with(3, '2027-02-03T15:00:00Z') }))
    expect(other.code).toBe('KEY_REUSED')
    expect(await statusesOf(given.contactId)).toEqual(['booked', 'booked', 'booked', 'booked'])
  })

  it('refuses another number of visits and visits out of order, naming the field (issue 29)', async () => {
    const fewer = await refusal(bookSeries({ starts: tuesdays.slice(0, 3) }))
    expect(fewer).toMatchObject({ status: 422, code: 'INVALID_REFERENCE', data: { fields: { starts: expect.anything() as string } } })
    expect((await refusal(bookSeries({ starts: tuesdays.toReversed() }))).status).toBe(422)
    expect((await refusal(bookSeries({ starts: [tuesdays[0]!] }))).status).toBe(422)
    expect((await refusal(addSeries({ seriesWeeks: null }))).status).toBe(422)
    expect((await refusal(addSeries({ seriesVisits: 21 }))).status).toBe(422)
  })

  it('is cancelled from one visit on, with one task to rebook (issue 29)', async () => {
    const [, second] = await bookSeries()
    const contactId = second!.contact.id
    const cancelled = await practice.desk.appointments.setStatus({
      id: second!.id,
      version: second!.version,
      status: 'cancelled',
      reason: 'Moves away',
      andFollowing: true,
    })
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelReason: 'Moves away' })
    expect(await statusesOf(contactId)).toEqual(['booked', 'cancelled', 'cancelled', 'cancelled'])
    const tasks = await server.rows('select 1 from tasks where contact_id = $1', [contactId])
    expect(tasks).toHaveLength(1)
    const holds = await server.rows(
      'select 1 from time_holds join appointments on appointments.id = appointment_id where contact_id = $1',
      [contactId],
    )
    expect(holds).toHaveLength(1)
  })

  it('keeps the others if one visit is cancelled, or the version is old (issue 29)', async () => {
    const [first, second] = await bookSeries()
    const cancel = (given: object) =>
      practice.desk.appointments.setStatus({ id: second!.id, version: second!.version, status: 'cancelled', reason: 'Is ill', ...given })
    expect((await refusal(cancel({ version: 7, andFollowing: true }))).code).toBe('CONFLICT')
    expect((await refusal(cancel({ status: 'confirmed', reason: undefined, andFollowing: true }))).status).toBe(422)
    await cancel({})
    expect(await statusesOf(first!.contact.id)).toEqual(['booked', 'cancelled', 'booked', 'booked'])
  })
})
