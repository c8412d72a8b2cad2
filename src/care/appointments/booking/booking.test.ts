import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { databaseFingerprint } from '../../../../test/database-fingerprint.ts'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { openStream } from '../../../../test/network/stream.ts'

const practice = usePractice()
const { server, book, booking, nextOf, timelineOf } = practice
const start = new Date('2026-11-21T15:00:00Z')
beforeEach(() => void (practice.clock.now = start))
const stageOf = async (id: string) => {
  const stages = await practice.desk.pipeline.stages()
  const { funnelStageId } = await practice.desk.contacts.get({ id })
  return stages.find((stage) => stage.id === funnelStageId)?.value
}
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const fieldsOf = async (call: Promise<unknown>) => {
  const { status, data } = await refusal(call)
  expect(status).toBe(422)
  return data.fields
}

describe('an appointment', () => {
  it('is booked and read back with every field', async () => {
    const contactId = await insertContact(server, { firstName: 'Éloïse', lastName: 'Tremblay' })
    const made = await book({ contactId, type: 'pre_op', minutes: 30, notes: ' Brings her mother ' })
    expect(made).toMatchObject({
      version: 1,
      contact: { id: contactId, firstName: 'Éloïse', lastName: 'Tremblay' },
      type: 'pre_op',
      providerId: null,
      roomId: null,
      startsAt: '2026-12-01T15:00:00.000Z',
      endsAt: '2026-12-01T15:30:00.000Z',
      status: 'booked',
      cancelReason: null,
      notes: 'Brings her mother',
    })
    expect(await practice.desk.appointments.get({ id: made.id })).toEqual(made)
    expect(await practice.desk.appointments.ofContact({ contactId })).toEqual([made])
  })

  it('adds a timeline entry and an audit entry, and notifies only accounts that may see appointments', async () => {
    const contactId = await insertContact(server)
    const billing = await server.account({ role: 'billing' })
    const [allowed, denied] = await Promise.all([openStream(server.url, practice.provider.cookie), openStream(server.url, billing.cookie)])
    const room = practice.rooms[0]!
    const { id } = await book({ contactId, providerId: practice.provider.id, roomId: room.id })
    expect(await timelineOf(contactId)).toEqual([
      'Consultation booked for Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor in Consult room 1',
      'Stage changed from Lead to Consult Booked',
    ])
    const [entry] = await server.rows('select type, metadata, created_by from interactions where contact_id = $1 order by id desc', [
      contactId,
    ])
    expect(entry).toEqual({ type: 'meeting', metadata: { appointmentId: id }, created_by: practice.deskId })
    const audit = await server.rows(
      "select action, contact_ids, after->>'id' as id from audit_log where kind = 'appointment' and after->>'id' = $1",
      [id],
    )
    expect(audit).toEqual([{ action: 'created', contact_ids: [contactId], id }])
    await allowed.next(({ topic, id: which }) => topic === 'appointment' && which === id)
    await denied.next(({ topic, id: which }) => topic === 'contact' && which === contactId)
    expect(denied.received.filter(({ topic }) => topic === 'appointment')).toEqual([])
    allowed.close()
    denied.close()
  })

  it('logs every view in the audit log', async () => {
    const { id, contact } = await book()
    const views = async () =>
      (
        await server.rows<{ n: number }>(
          "select count(*)::int as n from audit_log where kind = 'appointment' and action = 'viewed' and contact_ids @> array[$1::uuid]",
          [contact.id],
        )
      )[0]!.n
    await practice.desk.appointments.get({ id })
    await practice.desk.appointments.ofContact({ contactId: contact.id })
    await practice.desk.appointments.list({ from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' })
    expect(await views()).toBe(3)
  })
})

describe('the stage after booking a consult', () => {
  it.each([
    ['lead', 'consult_booked'],
    ['contacted', 'consult_booked'],
    ['consult_booked', 'consult_booked'],
    ['consult_done', 'consult_done'],
    ['quote_sent', 'quote_sent'],
    ['surgery_booked', 'surgery_booked'],
    ['cold_lead', 'cold_lead'],
  ])('from %s to %s', async (stage, after) => {
    const contactId = await insertContact(server, { stage })
    await book({ contactId })
    expect(await stageOf(contactId)).toBe(after)
  })

  it('writes stage history, a timeline entry, counters and one new version of the record', async () => {
    const contactId = await insertContact(server, { stage: 'contacted' })
    const counts = () =>
      server.rows<{ value: string; n: number }>(
        `select value, sum(change)::int as n from contact_counts join funnel_stages on funnel_stages.id = funnel_stage
         where value in ('contacted', 'consult_booked') group by 1 order by 1`,
      )
    const before = await counts()
    await book({ contactId })
    const after = await counts()
    const change = (value: string) =>
      (after.find((row) => row.value === value)?.n ?? 0) - (before.find((row) => row.value === value)?.n ?? 0)
    expect([change('contacted'), change('consult_booked')]).toEqual([-1, 1])
    expect(await practice.desk.contacts.stageHistory({ id: contactId })).toMatchObject([{ changedBy: practice.deskId }])
    const types = await server.rows<{ type: string }>('select type from interactions where contact_id = $1 order by id', [contactId])
    expect(types.map(({ type }) => type)).toEqual(['consult_booked', 'meeting'])
    expect((await practice.desk.contacts.get({ id: contactId })).version).toBe(2)
  })

  it('leaves the stage alone for other types, until the appointment becomes a consult', async () => {
    const contactId = await insertContact(server)
    const { id, version } = await book({ contactId, type: 'follow_up' })
    expect(await stageOf(contactId)).toBe('lead')
    await practice.desk.appointments.change({ id, version, type: 'consult' })
    expect(await stageOf(contactId)).toBe('consult_booked')
  })
})

describe("the next appointment on the patient's record", () => {
  it("shows the earliest one in the practice's time zone, with room and location", async () => {
    const contactId = await insertContact(server)
    const [, second] = practice.rooms
    const admin = await server.as('admin')
    const place = await admin.practice.addLocation({ name: 'Burlington', address: null, phone: null })
    const room = await admin.practice.addRoom({ name: 'Laser suite', kind: 'treatment', locationId: place.id })
    await book({ contactId, roomId: room.id })
    expect(await nextOf(contactId)).toEqual(['2026-12-01', '10:00', 'Laser suite, Burlington'])
    await book({ contactId, type: 'pre_op', startsAt: '2026-12-15T15:00:00Z' })
    expect(await nextOf(contactId)).toEqual(['2026-12-01', '10:00', 'Laser suite, Burlington'])
    await book({ contactId, startsAt: '2026-11-30T19:30:00Z', roomId: second!.id })
    expect(await nextOf(contactId)).toEqual(['2026-11-30', '14:30', 'Consult room 2, Main location'])
    await admin.practice.changeRoom({ id: room.id, name: room.name, kind: 'treatment', isActive: false })
    await admin.practice.changeLocation({ ...place, isActive: false })
  })

  it('adds one timeline entry', async () => {
    const contactId = await insertContact(server)
    await book({ contactId, type: 'other' })
    expect(await timelineOf(contactId)).toEqual(['Appointment booked for Tue, Dec 1, 2026 at 10:00 a.m.'])
  })

  it('follows a move, and skips an appointment that is over', async () => {
    const { id, version, contact } = await book({ roomId: practice.rooms[0]!.id, startsAt: '2026-12-02T14:00:00Z' })
    const moved = await practice.desk.appointments.change({ id, version, startsAt: '2026-12-03T20:00:00Z' })
    expect(moved).toMatchObject({ version: 2, endsAt: '2026-12-03T20:45:00.000Z' })
    expect(await nextOf(contact.id)).toEqual(['2026-12-03', '15:00', 'Consult room 1'])
    expect((await timelineOf(contact.id))[0]).toBe(
      'Consultation moved from Wed, Dec 2, 2026 at 9:00 a.m. to Thu, Dec 3, 2026 at 3:00 p.m. in Consult room 1',
    )
    const elsewhere = await practice.desk.appointments.change({ id, version: 2, roomId: null, providerId: practice.provider.id })
    expect(await nextOf(contact.id)).toEqual(['2026-12-03', '15:00', null])
    expect((await timelineOf(contact.id))[0]).toBe('Consultation on Thu, Dec 3, 2026 at 3:00 p.m. is now with Dr. Okafor')
    await practice.desk.appointments.change({ id, version: elsewhere.version, startsAt: '2026-11-20T15:00:00Z' })
    expect(await nextOf(contact.id)).toEqual([null, null, null])
  })

  it('keeps typed values when the last appointment is cancelled, and clears values that came from an appointment', async () => {
    const contactId = await insertContact(server)
    const typed = { appointmentDate: '2027-02-01', appointmentTime: '09:00', appointmentLocation: 'Video call' }
    const { id, version } = await book({ contactId })
    const { version: read } = await practice.desk.contacts.get({ id: contactId })
    await practice.desk.contacts.update({ id: contactId, version: read, ...typed })
    await practice.desk.appointments.setStatus({ id, version, status: 'cancelled', reason: 'Is ill' })
    expect(await nextOf(contactId)).toEqual(Object.values(typed))

    const other = await book({ contactId })
    expect(await nextOf(contactId)).toEqual(['2026-12-01', '10:00', null])
    await practice.desk.appointments.setStatus({ id: other.id, version: 1, status: 'cancelled', reason: 'Is ill' })
    expect(await nextOf(contactId)).toEqual([null, null, null])
  })
})

describe('an idempotency key', () => {
  it('books once across repeated and simultaneous requests, and is refused for anything else', async () => {
    const given = await booking({ providerId: practice.provider.id, startsAt: '2026-12-04T15:00:00Z' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => practice.desk.appointments.book(given)))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await practice.desk.appointments.book(given)).toEqual(answers[0])
    expect(await timelineOf(given.contactId)).toHaveLength(2)
    for (const other of [{ minutes: 30 }, { contactId: await insertContact(server) }, { outsideHours: true }])
      expect(await codeOf(practice.desk.appointments.book({ ...given, ...other }))).toBe('KEY_REUSED')
  })

  it('can be used again after a refusal', async () => {
    const given = await booking({ startsAt: '2026-12-05T15:00:00Z' })
    expect(await codeOf(practice.desk.appointments.book(given))).toBe('OUTSIDE_HOURS')
    expect(await practice.desk.appointments.book({ ...given, outsideHours: true })).toMatchObject({ status: 'booked' })
  })
})

describe('provider, room and hours', () => {
  it('requires an active provider or administrator, an active room and an existing patient', async () => {
    const admin = await server.account({ role: 'admin' })
    expect(await book({ providerId: admin.id })).toMatchObject({ providerId: admin.id })
    const disabled = await server.account({ role: 'provider', status: 'disabled' })
    const billing = await server.account({ role: 'billing' })
    for (const providerId of [disabled.id, billing.id, practice.deskId, randomUUID()])
      expect(await fieldsOf(book({ providerId }))).toEqual({ providerId: 'This person does not see patients' })
    const closed = await (await server.as('admin')).practice.addRoom({ name: 'Old wing', kind: 'consult' })
    await (await server.as('admin')).practice.changeRoom({ id: closed.id, name: closed.name, kind: closed.kind, isActive: false })
    for (const roomId of [closed.id, randomUUID()])
      expect(await fieldsOf(book({ roomId }))).toEqual({ roomId: 'This room is no longer in use' })
    expect(await fieldsOf(book({ contactId: randomUUID() }))).toEqual({ contactId: 'This patient does not exist' })
  })

  it('keeps the provider and the room of an appointment after they are disabled', async () => {
    const leaving = await server.account({ role: 'provider' })
    const admin = await server.as('admin')
    const room = await admin.practice.addRoom({ name: 'To be closed', kind: 'consult' })
    const { id, version } = await book({ providerId: leaving.id, roomId: room.id })
    await server.rows("update profiles set status = 'disabled' where id = $1", [leaving.id])
    await admin.practice.changeRoom({ id: room.id, name: room.name, kind: room.kind, isActive: false })
    const moved = await practice.desk.appointments.change({ id, version, startsAt: '2026-12-01T18:00:00Z' })
    expect(moved).toMatchObject({ providerId: leaving.id, roomId: room.id })
    const off = await practice.desk.appointments.setStatus({ id, version: moved.version, status: 'cancelled', reason: 'Is ill' })
    expect(await fieldsOf(practice.desk.appointments.setStatus({ id, version: off.version, status: 'booked' }))).toEqual({
      providerId: 'This person does not see patients',
      roomId: 'This room is no longer in use',
    })
  })

  it.each([
    ['before it opens', '2026-12-01T13:29:00Z', 45],
    ['past closing', '2026-12-01T21:00:00Z', 45],
    ['on a Saturday', '2026-12-05T15:00:00Z', 45],
    ['overnight', '2026-12-01T20:00:00Z', 720],
  ])('allows a time outside practice hours, %s, only when confirmed', async (_, startsAt, minutes) => {
    expect(await codeOf(book({ startsAt, minutes }))).toBe('OUTSIDE_HOURS')
    expect(await book({ startsAt, minutes, outsideHours: true })).toMatchObject({ status: 'booked' })
  })

  it('allows opening to closing time, checks moves too, and lets the room change at any time', async () => {
    const whole = await book({ startsAt: '2026-12-01T13:30:00Z', minutes: 480 })
    expect(whole.endsAt).toBe('2026-12-01T21:30:00.000Z')
    const { id } = await book({ startsAt: '2026-12-01T20:00:00Z' })
    const { change } = practice.desk.appointments
    expect(await codeOf(change({ id, version: 1, startsAt: '2026-12-01T21:00:00Z' }))).toBe('OUTSIDE_HOURS')
    expect(await codeOf(change({ id, version: 1, minutes: 120 }))).toBe('OUTSIDE_HOURS')
    const late = await change({ id, version: 1, startsAt: '2026-12-01T23:00:00Z', outsideHours: true })
    expect(await change({ id, version: late.version, roomId: practice.rooms[3]!.id })).toMatchObject({ version: 3 })
  })

  it('uses local time on the days when the clocks change', async () => {
    const admin = await server.as('admin')
    const hours = await admin.practice.hours()
    await admin.practice.setHours({ days: [...hours, { weekday: 7, opens: '08:30', closes: '16:30' }] })
    practice.clock.now = new Date('2026-03-01T15:00:00Z')
    const contactId = await insertContact(server)
    // Sunday, March 8: the clocks go forward at 2:00.
    expect(await codeOf(book({ contactId, startsAt: '2026-03-08T12:29:00Z' }))).toBe('OUTSIDE_HOURS')
    await book({ contactId, startsAt: '2026-03-08T12:30:00Z' })
    expect(await nextOf(contactId)).toEqual(['2026-03-08', '08:30', null])
    expect(await codeOf(book({ contactId, startsAt: '2026-03-08T20:00:00Z' }))).toBe('OUTSIDE_HOURS')
    // Across the skipped hour: 60 minutes last from 1:30 to 3:30.
    const night = await book({ contactId, startsAt: '2026-03-08T06:30:00Z', minutes: 60, outsideHours: true })
    expect(night.endsAt).toBe('2026-03-08T07:30:00.000Z')
    expect(await nextOf(contactId)).toEqual(['2026-03-08', '01:30', null])

    practice.clock.now = new Date('2026-10-25T15:00:00Z')
    const other = await insertContact(server)
    // Sunday, November 1: the clocks go back at 2:00.
    expect(await codeOf(book({ contactId: other, startsAt: '2026-11-01T13:29:00Z' }))).toBe('OUTSIDE_HOURS')
    await book({ contactId: other, startsAt: '2026-11-01T13:30:00Z' })
    expect(await nextOf(other)).toEqual(['2026-11-01', '08:30', null])
    await book({ contactId: other, startsAt: '2026-11-01T20:45:00Z' })
    expect(await codeOf(book({ contactId: other, startsAt: '2026-11-01T20:46:00Z' }))).toBe('OUTSIDE_HOURS')
    expect((await timelineOf(other))[0]).toBe('Consultation booked for Sun, Nov 1, 2026 at 3:45 p.m.')
    await admin.practice.setHours({ days: hours })
  })
})

describe('the list of appointments', () => {
  it('returns appointments that overlap the period, in order, by provider or room; missed and cancelled ones only on request', async () => {
    const provider = await server.account({ role: 'provider' })
    const at = (startsAt: string, given: object = {}) =>
      book({ startsAt, minutes: 60, providerId: provider.id, outsideHours: true, ...given })
    const before = await at('2027-03-01T09:00:00Z')
    const into = await at('2027-03-01T11:30:00Z')
    const later = await at('2027-03-01T15:00:00Z', { roomId: practice.rooms[3]!.id })
    const off = await at('2027-03-01T13:00:00Z')
    await practice.desk.appointments.setStatus({ id: off.id, version: 1, status: 'cancelled', reason: 'Is ill' })
    const list = async (given: object = {}) => {
      const { data, isTruncated } = await practice.desk.appointments.list({
        from: '2027-03-01T12:00:00Z',
        to: '2027-03-01T16:00:00Z',
        ...given,
      })
      expect(isTruncated).toBe(false)
      return data.map(({ id }) => id)
    }
    expect(await list()).toEqual([into.id, later.id])
    expect(await list({ from: '2027-03-01T10:00:00Z' })).not.toContain(before.id)
    expect(await list({ to: '2027-03-01T15:00:00Z' })).toEqual([into.id])
    expect(await list({ all: 'true', providerId: provider.id })).toEqual([into.id, off.id, later.id])
    expect(await list({ roomId: practice.rooms[3]!.id })).toEqual([later.id])
    expect(await list({ providerId: practice.provider.id })).toEqual([])
  })

  it('spans at most 62 days and must end after it starts', async () => {
    const list = (from: string, to: string) => practice.desk.appointments.list({ from, to })
    expect(await fieldsOf(list('2026-12-01T00:00:00Z', '2027-02-02T00:00:00Z'))).toEqual({ to: 'At most 62 days' })
    expect(await fieldsOf(list('2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z'))).toEqual({ to: 'The end must be after the start' })
  })

  it("lists a patient's appointments newest first, and answers 404 for an unknown patient", async () => {
    const contactId = await insertContact(server)
    const [first, second] = [await book({ contactId }), await book({ contactId, startsAt: '2026-12-02T15:00:00Z' })]
    const ids = (await practice.desk.appointments.ofContact({ contactId })).map(({ id }) => id)
    expect(ids).toEqual([second.id, first.id])
    expect(await codeOf(practice.desk.appointments.ofContact({ contactId: randomUUID() }))).toBe('NOT_FOUND')
    expect(await codeOf(practice.desk.appointments.get({ id: randomUUID() }))).toBe('NOT_FOUND')
  })
})

describe('bad input', () => {
  it.each([
    [{ minutes: 4 }, { minutes: 'At least 5 minutes' }],
    [{ minutes: 721 }, { minutes: 'At most 12 hours' }],
    [{ startsAt: 'tomorrow' }, { startsAt: 'Enter a date and time' }],
    [{ type: 'surgery' }, { type: 'Choose a type' }],
    [{ contactId: 'x' }, { contactId: 'Choose a patient' }],
    [{ idempotencyKey: 'x' }, { idempotencyKey: 'Idempotency key must be a UUID, such as 3f2a8c1e-5b7d-4e9f-8a6b-1c2d3e4f5a6b' }],
    [{ status: 'completed' }, { status: 'The field status is not known' }],
  ])('refuses %j with a field error and changes nothing', async (given, fields) => {
    const input = await booking(given as object)
    const before = await databaseFingerprint(server)
    expect(await fieldsOf(practice.desk.appointments.book(input))).toEqual(fields)
    expect(await databaseFingerprint(server)).toEqual(before)
  })
})

describe('concurrent changes', () => {
  it('refuses the second of two changes and returns the current appointment', async () => {
    const { id } = await book()
    const { change, setStatus } = practice.desk.appointments
    const current = await change({ id, version: 1, notes: 'Brings her mother' })
    for (const call of [() => change({ id, version: 1, minutes: 30 }), () => setStatus({ id, version: 1, status: 'confirmed' })]) {
      const { code, status, data } = await refusal(call())
      expect([code, status, data.current]).toEqual(['CONFLICT', 409, current])
    }
    const rows = await server.rows('select version, status from appointments where id = $1', [id])
    expect(rows).toEqual([{ version: 2, status: 'booked' }])
  })

  it('keeps the version when nothing changes', async () => {
    const { id, version } = await book({ notes: 'x' })
    expect(await practice.desk.appointments.change({ id, version, notes: 'x', minutes: 45 })).toMatchObject({ version: 1 })
    expect(await practice.desk.appointments.change({ id, version })).toMatchObject({ version: 1 })
  })
})
