import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { usePractice } from '../../../test/care/appointments.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { calendarLimits } from './rules.ts'

const practice = usePractice({ WEBHOOKS_LOCAL: 'true' })
const { server, clock, book } = practice
let admin: Client
/** What the calendar elsewhere answers with. */
let answer: { status: number; body: string } = { status: 200, body: '' }
const elsewhere = createServer((_, response) => response.writeHead(answer.status, { 'content-type': 'text/calendar' }).end(answer.body))
let url = ''

beforeAll(async () => {
  admin = await server.as('admin')
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/private-c0ffee.ics`
})
afterAll(() => elsewhere.close())
beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  await server.rows('delete from subscribed_calendars')
  await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
})

const day = '2026-12-01'
const calendar = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...lines.flatMap((times, uid) => ['BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:Dentist of Ana', ...times.split(' '), 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')
/** From 10:00 to 11:30 in Toronto. */
const morning = 'DTSTART:20261201T150000Z DTEND:20261201T163000Z'
const subscribe = async (given: Partial<Parameters<Client['subscribedCalendars']['add']>[0]> = {}) => {
  const added = await admin.subscribedCalendars.add({ name: 'Hospital', url, ownerKind: 'person', ownerId: practice.provider.id, ...given })
  return admin.subscribedCalendars.read({ id: added.id })
}
const timesWith = async (given: object) =>
  (await practice.desk.appointments.openings({ from: day, days: 1, minutes: 45, ...given })).days[0]!.times
const provider = () => ({ providerId: practice.provider.id })

it('a subscribed calendar blocks openings, and bookings unless staff insist, and nothing of its events is kept but the times (issue 29)', async () => {
  answer = { status: 200, body: calendar(morning) }
  const read = await subscribe()
  expect(read).toMatchObject({
    name: 'Hospital',
    problem: null,
    busyTimes: 1,
    readAt: '2026-11-21T15:00:00.000Z',
    profileId: practice.provider.id,
  })
  expect(JSON.stringify(read)).not.toContain('c0ffee')
  const times = await timesWith(provider())
  expect(times).toContain('09:15')
  expect(times).toContain('11:30')
  expect(times.filter((time) => time > '09:15' && time < '11:30')).toEqual([])
  expect((await refusal(book({ ...provider(), startsAt: '2026-12-01T15:30:00Z' }))).code).toBe('OUTSIDE_HOURS')
  expect(await book({ ...provider(), startsAt: '2026-12-01T15:30:00Z', outsideHours: true })).toMatchObject({ status: 'booked' })
  const stored = JSON.stringify(await server.rows('select * from busy_times, subscribed_calendars'))
  expect(stored).not.toContain('Dentist')
  expect(stored).not.toContain('c0ffee')
  const [entry] = await server.rows(
    "select after from audit_log where kind = 'subscribed calendar' and action = 'created' order by id desc limit 1",
  )
  expect(JSON.stringify(entry)).not.toContain('sealed')
})

it('a calendar of a room blocks the room for visits (issue 29)', async () => {
  answer = { status: 200, body: calendar(morning) }
  const [one, other] = practice.rooms.filter(({ name }) => name.startsWith('Consult'))
  await subscribe({ ownerKind: 'room', ownerId: one!.id })
  const visit = (roomIds: string[]) =>
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
      isOnline: false,
      providerIds: [practice.provider.id],
      secondIds: [],
      roomIds,
    })
  const [single, either] = [await visit([one!.id]), await visit([one!.id, other!.id])]
  expect((await timesWith({ visitTypeId: single.id })).filter((time) => time > '09:15' && time < '11:30')).toEqual([])
  expect(await timesWith({ visitTypeId: either.id })).toContain('10:30')
  expect(await book({ visitTypeId: either.id, startsAt: '2026-12-01T15:30:00Z' })).toMatchObject({ roomId: other!.id })
})

it('a calendar that cannot be read keeps its last busy times, says why, and works again (issue 29)', async () => {
  answer = { status: 200, body: calendar(morning) }
  const { id } = await subscribe()
  for (const [next, problem] of [
    [{ status: 404, body: '' }, 'refused'],
    [{ status: 302, body: '' }, 'refused'],
    [{ status: 200, body: 'x'.repeat(calendarLimits.size + 1) }, 'too-large'],
    [{ status: 200, body: '<html>Sign in</html>' }, 'not-a-calendar'],
    [{ status: 200, body: calendar('DTSTART:19700101T000000Z DURATION:PT1S RRULE:FREQ=SECONDLY') }, 'too-complex'],
  ] as const) {
    answer = next
    expect(await admin.subscribedCalendars.read({ id })).toMatchObject({ problem, busyTimes: 1, readAt: '2026-11-21T15:00:00.000Z' })
  }
  clock.now = new Date('2026-11-22T15:00:00Z')
  answer = { status: 200, body: calendar() }
  expect(await admin.subscribedCalendars.read({ id })).toMatchObject({ problem: null, busyTimes: 0, readAt: '2026-11-22T15:00:00.000Z' })
  answer = { status: 200, body: calendar(morning) }
  await admin.subscribedCalendars.read({ id })
  expect(await timesWith(provider())).not.toContain('10:15')
  await admin.subscribedCalendars.remove({ id })
  expect(await timesWith(provider())).toContain('10:15')
  expect((await refusal(admin.subscribedCalendars.read({ id }))).code).toBe('NOT_FOUND')
  expect((await refusal(admin.subscribedCalendars.remove({ id }))).code).toBe('NOT_FOUND')
})

it('is read by a job once it is added (issue 29)', async () => {
  answer = { status: 200, body: calendar(morning) }
  const { id } = await admin.subscribedCalendars.add({ name: 'Hospital', url, ownerKind: 'person', ownerId: practice.provider.id })
  await until(async () => (await practice.desk.subscribedCalendars.list()).find((one) => one.id === id)?.readAt)
  expect(await practice.desk.subscribedCalendars.list()).toMatchObject([{ id, busyTimes: 1 }])
})

it('refuses addresses that are not public, and owners who do not exist, naming the field (issue 29)', async () => {
  const problem = async (given: object) => {
    const refused = await refusal(
      admin.subscribedCalendars.add({ name: 'Hospital', url, ownerKind: 'person', ownerId: practice.provider.id, ...given }),
    )
    expect(refused.status).toBe(422)
    return Object.keys(refused.data.fields ?? {})
  }
  for (const wrong of [
    'http://calendar.example/a.ics',
    'https://192.168.1.1/a.ics',
    'file:///etc/passwd',
    'https://user:pass@calendar.example/a',
    'calendar',
  ])
    expect(await problem({ url: wrong })).toEqual(['url'])
  expect(await problem({ ownerId: randomUUID() })).toEqual(['ownerId'])
  expect(await problem({ ownerKind: 'room', ownerId: practice.provider.id })).toEqual(['ownerId'])
  await problem({ name: ' ' })
  const webcal = await admin.subscribedCalendars.add({
    name: 'Shared',
    url: 'webcal://calendar.example/a.ics',
    ownerKind: 'person',
    ownerId: practice.provider.id,
  })
  expect(webcal.host).toBe('calendar.example')
  expect(
    (await refusal(practice.desk.subscribedCalendars.add({ name: 'Mine', url, ownerKind: 'person', ownerId: practice.deskId }))).status,
  ).toBe(403)
})
