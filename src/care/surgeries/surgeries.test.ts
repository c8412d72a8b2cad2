import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { openStream } from '../../../test/network/stream.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'
import { mayFollow, surgeryStatuses } from './rules.ts'

const theatre = useSurgeryPractice()
const { server, wanted, operate, recordOf, timelineOf } = theatre

describe('surgeries', () => {
  it('books a surgery with all fields, moves the patient to Surgery Booked, and sets surgical date and revenue', async () => {
    const stream = await openStream(server.url, (await server.account()).cookie)
    const contactId = await insertContact(server)
    const { procedures, provider, operatingRoom, deskId } = theatre
    const surgery = await operate({
      contactId,
      procedureIds: [procedures[1]!.id, procedures[0]!.id],
      surgeonId: provider.id,
      assistantIds: [deskId],
      roomId: operatingRoom.id,
      implants: 'Silicone, 3 mm',
      priceCents: 1_250_000,
      notes: 'Prefers the morning',
    })
    expect(surgery).toMatchObject({
      version: 1,
      contact: { id: contactId },
      procedures: [procedures[1], procedures[0]],
      surgeonId: provider.id,
      assistantIds: [deskId],
      anaesthesia: 'general',
      roomId: operatingRoom.id,
      startsAt: '2026-12-01T13:00:00.000Z',
      endsAt: '2026-12-01T16:00:00.000Z',
      status: 'tentative',
      shownStatus: 'tentative',
      cancelReason: null,
      implants: 'Silicone, 3 mm',
      priceCents: 1_250_000,
      notes: 'Prefers the morning',
      daysToGo: 10,
    })
    await stream.next(({ topic, id }) => topic === 'surgery' && id === surgery.id)
    stream.close()
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2026-12-01', 1_250_000])
    expect((await timelineOf(contactId)).slice(0, 2).toSorted()).toEqual([
      'Stage changed from Lead to Surgery Booked',
      'Surgery booked: Chin implant and Rhinoplasty on Tue, Dec 1, 2026 at 8:00 a.m. with Dr. Okafor in Operating room',
    ])
    const { data } = await theatre.desk.interactions.list({ contactId })
    expect(data.filter(({ type }) => type === 'surgery_booked')).toHaveLength(2)
    const moves = await theatre.desk.contacts.stageHistory({ id: contactId })
    expect(moves.at(-1)!.changedBy).toBe(deskId)
    expect(await theatre.desk.surgeries.get({ id: surgery.id })).toEqual(surgery)
    expect(await theatre.desk.surgeries.ofContact({ contactId })).toEqual([surgery])
    const audit = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'surgery' and contact_ids = array[$1]::uuid[] order by id",
      [contactId],
    )
    expect(audit.map(({ action }) => action)).toEqual(['created', 'viewed', 'viewed'])
  })

  it('books once per key, and refuses the key for anything else', async () => {
    const input = await wanted()
    const [first, second] = await Promise.all([theatre.desk.surgeries.create(input), theatre.desk.surgeries.create(input)])
    expect(second).toEqual(first)
    expect((await refusal(theatre.desk.surgeries.create({ ...input, minutes: 90 }))).code).toBe('KEY_REUSED')
    expect(await server.rows('select 1 from surgeries where contact_id = $1', [input.contactId])).toHaveLength(1)
  })

  it.each([
    ['contactId', 'This patient does not exist', () => ({ contactId: randomUUID() })],
    ['procedureIds', 'Choose at least one procedure', () => ({ procedureIds: [] })],
    ['procedureIds', 'Procedure not found', () => ({ procedureIds: [randomUUID()] })],
    ['procedureIds', 'A procedure is listed twice', () => ({ procedureIds: [0, 0].map(() => theatre.procedures[0]!.id) })],
    ['surgeonId', 'This person does not operate', () => ({ surgeonId: theatre.deskId })],
    ['assistantIds', 'Staff member not found', () => ({ assistantIds: [randomUUID()] })],
    ['assistantIds', 'The surgeon cannot also assist', () => ({ surgeonId: theatre.provider.id, assistantIds: [theatre.provider.id] })],
    ['roomId', 'This room is no longer in use', () => ({ roomId: randomUUID() })],
    ['minutes', 'At least 15 minutes', () => ({ minutes: 10 })],
    ['startsAt', 'Enter a date and time', () => ({ startsAt: 'tomorrow' })],
    ['priceCents', 'The price cannot be negative', () => ({ priceCents: -1 })],
    ['priceCents', 'The price must be in whole cents', () => ({ priceCents: 0.5 })],
    ['priceCents', 'The price can be at most $100,000,000', () => ({ priceCents: 10_000_000_001 })],
  ])('refuses invalid input with a field error and writes nothing: %s, %s', async (field, message, given) => {
    const input = await wanted(given())
    const before = await databaseFingerprint(server)
    const { status, data } = await refusal(theatre.desk.surgeries.create(input))
    expect([status, data.fields]).toEqual([422, { [field]: message }])
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('changes only the given fields at the given version, and keeps retired rooms and procedures', async () => {
    const { admin, desk } = theatre
    const [room, procedure] = await Promise.all([
      admin.practice.addRoom({ name: 'Theatre 9', kind: 'operating' }),
      admin.procedures.create({ name: 'Otoplasty' }),
    ])
    const { id, contact } = await operate({ roomId: room.id, procedureIds: [procedure.id], priceCents: 400_000 })
    await admin.practice.changeRoom({ id: room.id, name: room.name, kind: 'operating', isActive: false })
    await admin.procedures.delete({ id: procedure.id })
    const moved = await desk.surgeries.change({ id, version: 1, startsAt: '2026-12-03T14:00:00Z', procedureIds: [procedure.id] })
    expect(moved).toMatchObject({
      version: 2,
      roomId: room.id,
      procedures: [{ id: procedure.id, name: 'Otoplasty' }],
      endsAt: '2026-12-03T17:00:00.000Z',
    })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2026-12-03', 400_000])
    expect((await timelineOf(contact.id))[0]).toBe(
      'Surgery moved from Tue, Dec 1, 2026 at 8:00 a.m. to Thu, Dec 3, 2026 at 9:00 a.m. in Theatre 9',
    )
    const conflict = await refusal(desk.surgeries.change({ id, version: 1, notes: 'Late' }))
    expect([conflict.code, conflict.status, conflict.data.current!.version]).toEqual(['CONFLICT', 409, 2])
    const before = await databaseFingerprint(server)
    expect(await desk.surgeries.change({ id, version: 2, priceCents: 400_000 })).toEqual(moved)
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('shows the next upcoming surgery on the record, or else the last past one', async () => {
    const { contact } = await operate({ startsAt: '2025-12-01T13:00:00Z', priceCents: 5 })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2025-12-01', 5])
    await operate({ contactId: contact.id, startsAt: '2026-01-05T13:00:00Z', priceCents: 6 })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2026-01-05', 6])
    const next = await operate({ contactId: contact.id, startsAt: '2027-06-01T13:00:00Z', priceCents: 7 })
    await operate({ contactId: contact.id, startsAt: '2027-07-01T13:00:00Z', priceCents: 8 })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2027-06-01', 7])
    await theatre.desk.surgeries.change({ id: next.id, version: 1, startsAt: '2027-08-01T13:00:00Z' })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2027-07-01', 8])
  })

  it('changes status only as the rules allow', async () => {
    const { setStatus } = theatre.desk.surgeries
    for (const from of surgeryStatuses) {
      for (const to of surgeryStatuses) {
        const { id } = await operate({ startsAt: '2026-11-21T13:00:00Z' })
        await theatre.waiveSafety(id)
        await server.rows("update surgeries set status = $2, cancel_reason = case when $2 = 'cancelled' then 'is ill' end where id = $1", [
          id,
          from,
        ])
        const answer = setStatus({ id, version: 1, status: to, ...(to === 'cancelled' ? { reason: 'Is ill' } : {}) })
        if (mayFollow(from, to)) expect((await answer).status, `${from} to ${to}`).toBe(to)
        else expect((await refusal(answer)).code, `${from} to ${to}`).toBe('NOT_POSSIBLE')
      }
    }
  })

  it("allows completion only on or after its day in the practice's time zone", async () => {
    const { desk } = theatre
    const complete = async ({ id }: { id: string }) => {
      await theatre.waiveSafety(id)
      return desk.surgeries.setStatus({ id, version: 1, status: 'completed' })
    }
    // 4:59 UTC on Sunday is still Saturday in Toronto.
    const late = await operate({ startsAt: '2026-11-22T04:45:00Z' })
    const tomorrow = await operate({ startsAt: '2026-11-22T05:00:00Z', status: 'confirmed' })
    const before = await databaseFingerprint(server)
    const { code, status, message } = await refusal(desk.surgeries.setStatus({ id: tomorrow.id, version: 1, status: 'completed' }))
    expect([code, status, message]).toEqual(['TOO_EARLY', 409, 'A surgery can only be completed on or after its day'])
    expect(await databaseFingerprint(server)).toEqual(before)
    expect((await complete(late)).status).toBe('completed')
    expect((await complete(await operate({ startsAt: '2026-11-18T13:00:00Z' }))).status).toBe('completed')
  })

  it('lets a completed surgery be corrected but not moved to the future', async () => {
    const { desk } = theatre
    const { id } = await operate({ startsAt: '2026-11-18T13:00:00Z' })
    await theatre.waiveSafety(id)
    await desk.surgeries.setStatus({ id, version: 1, status: 'completed' })
    const move = (startsAt: string) => desk.surgeries.change({ id, version: 2, startsAt })
    const { code, status } = await refusal(move('2026-11-23T13:00:00Z'))
    expect([code, status]).toEqual(['TOO_EARLY', 409])
    expect(await move('2026-11-19T13:00:00Z')).toMatchObject({ startsAt: '2026-11-19T13:00:00.000Z', status: 'completed' })
  })

  it('requires a cancellation reason, which the timeline omits; refuses to move a cancelled surgery but lets a postponed one be moved', async () => {
    const { desk } = theatre
    const { id, contact } = await operate()
    const noReason = await refusal(desk.surgeries.setStatus({ id, version: 1, status: 'cancelled' }))
    expect(noReason.data.fields).toEqual({ reason: 'Enter a reason for the cancellation' })
    await desk.surgeries.setStatus({ id, version: 1, status: 'postponed' })
    const moved = await desk.surgeries.change({ id, version: 2, startsAt: '2027-01-12T13:00:00Z' })
    expect(moved.status).toBe('postponed')
    await desk.surgeries.setStatus({ id, version: 3, status: 'cancelled', reason: 'Is expecting' })
    expect((await refusal(desk.surgeries.change({ id, version: 4, startsAt: '2027-01-13T13:00:00Z' }))).code).toBe('NOT_HOLDING')
    expect((await desk.surgeries.get({ id })).cancelReason).toBe('Is expecting')
    expect((await timelineOf(contact.id)).join()).not.toContain('Is expecting')
  })

  it('answers 404 for an unknown surgery, on every call', async () => {
    const { surgeries } = theatre.desk
    const id = randomUUID()
    for (const call of [
      () => surgeries.get({ id }),
      () => surgeries.change({ id, version: 1, notes: 'a' }),
      () => surgeries.setStatus({ id, version: 1, status: 'confirmed' }),
      () => surgeries.ofContact({ contactId: id }),
      () => surgeries.changeItem({ id, itemId: id, isDone: true }),
      () => surgeries.removeItem({ id, itemId: id }),
    ])
      expect((await refusal(call())).status).toBe(404)
  })

  it('is forbidden for billing, which sees date and revenue on the record', async () => {
    const billing = await server.as('billing')
    const { id, contact } = await operate({ priceCents: 100 })
    expect((await refusal(billing.surgeries.get({ id }))).status).toBe(403)
    expect((await billing.contacts.get({ id: contact.id })).revenueCents).toBe(100)
  })
})

describe("surgery fields of the patient's record", () => {
  it('show the next scheduled surgery, advance when it is cancelled or postponed, and clear after the only one', async () => {
    const { setStatus, change } = theatre.desk.surgeries
    const contactId = await insertContact(server)
    const later = await operate({ contactId, startsAt: '2027-02-02T13:00:00Z', priceCents: 700_000 })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2027-02-02', 700_000])
    const first = await operate({ contactId, startsAt: '2027-01-05T13:00:00Z', priceCents: 300_000 })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2027-01-05', 300_000])
    await setStatus({ id: first.id, version: 1, status: 'postponed' })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2027-02-02', 700_000])
    await change({ id: later.id, version: 1, priceCents: 650_000 })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2027-02-02', 650_000])
    await setStatus({ id: later.id, version: 2, status: 'cancelled', reason: 'Changed her mind' })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', null, null])
    await setStatus({ id: first.id, version: 2, status: 'confirmed' })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2027-01-05', 300_000])
  })

  it('keep typed values and the stage set by hand', async () => {
    const { desk } = theatre
    const contactId = await insertContact(server)
    const { id } = await operate({ contactId, priceCents: 300_000 })
    const { version } = await desk.contacts.get({ id: contactId })
    await desk.contacts.update({ id: contactId, version, surgicalDate: '2026-12-24', revenueCents: 1, funnelStage: 'lead' })
    await desk.surgeries.change({ id, version: 1, notes: 'Allergic to latex' })
    expect(await recordOf(contactId)).toEqual(['Lead', '2026-12-24', 1])
    await desk.surgeries.setStatus({ id, version: 2, status: 'cancelled', reason: 'Is ill' })
    expect(await recordOf(contactId)).toEqual(['Lead', '2026-12-24', 1])
    await desk.surgeries.setStatus({ id, version: 3, status: 'tentative' })
    expect(await recordOf(contactId)).toEqual(['Surgery Booked', '2026-12-01', 300_000])
  })

  it('keep date and revenue after completion', async () => {
    const { setStatus } = theatre.desk.surgeries
    const { id, contact } = await operate({ startsAt: '2026-11-20T13:00:00Z', priceCents: 500_000, status: 'confirmed' })
    await theatre.waiveSafety(id)
    await setStatus({ id, version: 1, status: 'completed' })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2026-11-20', 500_000])
    const next = await operate({ contactId: contact.id, startsAt: '2027-03-02T13:00:00Z' })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2027-03-02', null])
    await setStatus({ id: next.id, version: 1, status: 'cancelled', reason: 'Is ill' })
    expect(await recordOf(contact.id)).toEqual(['Surgery Booked', '2026-11-20', 500_000])
  })
})

describe('the list of surgeries', () => {
  it('returns surgeries of a period, or upcoming ones, by surgeon, room and status, with missing items', async () => {
    const { desk, admin } = theatre
    const surgeon = await server.account({ role: 'provider' })
    const room = await admin.practice.addRoom({ name: 'Theatre 3', kind: 'operating' })
    const at = (startsAt: string) => operate({ surgeonId: surgeon.id, roomId: room.id, startsAt })
    const [past, soon, later] = [await at('2026-11-20T13:00:00Z'), await at('2026-11-21T13:00:00Z'), await at('2027-06-01T13:00:00Z')]
    const off = await at('2027-06-02T13:00:00Z')
    await desk.surgeries.setStatus({ id: off.id, version: 1, status: 'postponed' })
    const list = async (given: Parameters<typeof desk.surgeries.list>[0] = {}) =>
      (await desk.surgeries.list({ surgeonId: surgeon.id, ...given })).data.map(({ id, daysToGo }) => [id, daysToGo])
    expect(await list()).toEqual([
      [soon.id, 0],
      [later.id, 192],
    ])
    expect(await list({ from: '2026-11-20T00:00:00Z', to: '2026-11-21T12:00:00Z' })).toEqual([[past.id, -1]])
    expect(await list({ from: '2026-11-20T15:00:00Z', to: '2026-11-20T15:01:00Z', roomId: room.id })).toEqual([[past.id, -1]])
    expect(await list({ roomId: theatre.operatingRoom.id })).toEqual([])
    expect(await list({ status: 'postponed' })).toEqual([[off.id, 193]])
    expect(await list({ status: 'confirmed' })).toEqual([])
    // The outcome of the first one is not recorded yet.
    expect(await list({ status: 'tentative' })).toEqual([
      [past.id, -1],
      [soon.id, 0],
      [later.id, 192],
    ])
    for (const { id } of [past, soon]) {
      await theatre.waiveSafety(id)
      await desk.surgeries.setStatus({ id, version: 1, status: 'completed' })
    }
    // Past ones are newest first, unless a period is given.
    const latestFirst = [
      [soon.id, 0],
      [past.id, -1],
    ]
    expect(await list({ status: 'completed' })).toEqual(latestFirst)
    expect(await list({ status: 'completed', from: '2026-11-20T00:00:00Z', to: '2026-11-22T00:00:00Z' })).toEqual(latestFirst.toReversed())
    const { data } = await desk.surgeries.list({ surgeonId: surgeon.id, missing: 'true' })
    expect(data[0]!.missing.map(({ kind }) => kind)).toEqual(['history', 'medication', 'consents', 'labs', 'pre_op_visit', 'driver'])
    const half = await refusal(desk.surgeries.list({ from: '2026-11-20T00:00:00Z' }))
    expect(half.data.fields).toEqual({ to: 'Enter both a start and an end' })
    const long = await refusal(desk.surgeries.list({ from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' }))
    expect(long.data.fields).toEqual({ to: 'At most 100 days' })
  })
})
