import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../test/care/appointments.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Account, Client } from '../../../test/server.ts'
import { daysLater } from '../../shared/zoned-time.ts'

const practice = usePractice()
const { server, clock, book } = practice
let [admin, second, nurse, nurseWhoTreats]: [Client, Account, Account, Account] = [] as never
let roomIds: string[] = []

beforeAll(async () => {
  admin = await server.as('admin')
  second = await server.account({ role: 'provider' })
  nurse = await server.account({ role: 'front_desk' })
  nurseWhoTreats = await server.account({ role: 'provider' })
  roomIds = practice.rooms.filter(({ name }) => name.startsWith('Consult')).map(({ id }) => id)
})
beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over'")
  await server.rows('delete from staff_hours')
  await server.rows('delete from staff_exceptions')
})

type NewVisitType = Parameters<Client['availability']['addVisitType']>[0]
const visitType = (given: Partial<NewVisitType> = {}): NewVisitType => ({
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
  roomIds: [],
  ...given,
})
const add = (given?: Partial<NewVisitType>) => admin.availability.addVisitType(visitType(given))

/** Tuesday, December 1, 2026. */
const day = '2026-12-01'
const openings = (visitTypeId: string, given: object = {}) =>
  practice.desk.appointments.openings({ from: day, days: 1, minutes: 45, visitTypeId, ...given })
const timesOf = async (visitTypeId: string, given?: object) => (await openings(visitTypeId, given)).days[0]!.times
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const holdsOf = (id: string) =>
  server.rows<{ resource: string; from: string; to: string }>(
    `select resource_id as resource, to_char(starts_at at time zone 'America/Toronto', 'HH24:MI') as "from",
       to_char(ends_at at time zone 'America/Toronto', 'HH24:MI') as "to" from time_holds where appointment_id = $1 order by what, resource_id`,
    [id],
  )

describe('a visit type', () => {
  it('is added, changed and ordered by administrators, with an audit entry', async () => {
    const made = await add({ name: 'Rhinoplasty consult', nameFr: 'Consultation de rhinoplastie', roomIds, secondIds: [nurse.id] })
    expect(made).toMatchObject({ version: 1, isActive: true, nameFr: 'Consultation de rhinoplastie', secondIds: [nurse.id], roomIds })
    const { isActive: _, ...fields } = made
    const changed = await admin.availability.changeVisitType({ ...fields, minutes: 60, roomIds: [], isActive: false })
    expect(changed).toMatchObject({ version: 2, minutes: 60, roomIds: [], isActive: false })
    const [entry] = await server.rows("select action, before, after from audit_log where kind = 'visit type' order by id desc limit 1")
    expect(entry).toMatchObject({ action: 'changed', before: { minutes: 45 }, after: { minutes: 60 } })

    const [a, b] = [await add({ name: 'A' }), await add({ name: 'B' })]
    const ordered = await admin.availability.orderVisitTypes({ ids: [b.id, a.id] })
    expect(ordered.slice(0, 2).map(({ name }) => name)).toEqual(['B', 'A'])
    expect(await practice.desk.availability.visitTypes()).toEqual(ordered)
  })

  it('refuses a name that is taken, an edit of an old version, and people and rooms that cannot be chosen', async () => {
    const { isActive, ...made } = await add({ name: 'Botox' })
    expect(await codeOf(add({ name: 'BOTOX' }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.availability.changeVisitType({ ...made, name: 'B', isActive }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.availability.changeVisitType({ ...made, version: 7, isActive }))).toBe('CHANGED_MEANWHILE')
    expect(await codeOf(admin.availability.changeVisitType({ ...made, id: randomUUID(), isActive }))).toBe('NOT_FOUND')
    const gone = await server.account({ role: 'provider', status: 'disabled' })
    const wrong = await refusal(add({ providerIds: [nurse.id], secondIds: [gone.id], roomIds: [randomUUID()] }))
    expect(wrong).toMatchObject({ status: 422, code: 'INVALID_REFERENCE' })
    expect(Object.keys(wrong.data.fields ?? {}).toSorted()).toEqual(['providerIds', 'roomIds', 'secondIds'])
    expect((await refusal(add({ providerIds: [] }))).status).toBe(422)
    expect((await refusal(practice.desk.availability.addVisitType(visitType()))).status).toBe(403)
  })
})

describe('hours of staff', () => {
  it('replace the practice’s, and are set by administrators', async () => {
    const { id } = await add()
    const spans = [
      { weekday: 2, opens: '09:00', closes: '10:00' },
      { weekday: 2, opens: '18:00', closes: '19:00' },
    ]
    const set = await admin.availability.setStaffHours({ id: practice.provider.id, weekly: spans })
    expect(set.weekly).toMatchObject(spans)
    expect(await practice.desk.availability.staffHours()).toEqual([set])
    expect(await timesOf(id)).toEqual(['09:00', '09:15', '18:00', '18:15'])
    // Also without a visit type, and for bookings.
    const at = { providerId: practice.provider.id, minutes: 45 }
    const plain = await practice.desk.appointments.openings({ from: day, days: 1, ...at })
    expect(plain.days[0]!.times).toEqual(['09:00', '09:15', '18:00', '18:15'])
    expect(await codeOf(book({ ...at, startsAt: '2026-12-01T15:00:00Z' }))).toBe('OUTSIDE_HOURS')
    expect(await book({ ...at, startsAt: '2026-12-01T23:00:00Z' })).toMatchObject({ status: 'booked' })
    const provider = server.client(practice.provider.cookie)
    expect((await refusal(provider.availability.setStaffHours({ id: practice.provider.id, weekly: [] }))).status).toBe(403)
  })

  it('end with time off, which a provider enters for themselves, and which counts the bookings in it', async () => {
    const { id } = await add()
    await book({ providerId: practice.provider.id })
    const provider = server.client(practice.provider.cookie)
    const off = { kind: 'off' as const, fromDay: day, toDay: day }
    const made = await provider.availability.addException({ ...off, note: 'Conference' })
    expect(made).toMatchObject({ ...off, opens: null, note: 'Conference', bookings: 1 })
    expect((await openings(id)).days).toEqual([{ day, isClosed: true, times: [] }])
    expect(await codeOf(provider.availability.addException({ ...off, profileId: second.id }))).toBe('FORBIDDEN')
    const extra = { kind: 'extra' as const, fromDay: day, toDay: day, opens: '18:00', closes: '19:00' }
    expect(await codeOf(provider.availability.addException(extra))).toBe('FORBIDDEN')
    expect(await codeOf(server.client(second.cookie).availability.removeException({ id: made.id }))).toBe('NOT_FOUND')
    await provider.availability.removeException({ id: made.id })
    expect(await timesOf(id)).toContain('09:00')
    await admin.availability.addException({ ...extra, profileId: practice.provider.id })
    expect(await timesOf(id)).toContain('18:15')
  })

  it('refuse times in the wrong order and unknown people and locations, naming the field', async () => {
    const wrong = await refusal(
      admin.availability.setStaffHours({ id: second.id, weekly: [{ weekday: 1, opens: '12:00', closes: '09:00' }] }),
    )
    expect(wrong.status).toBe(422)
    const day1 = { kind: 'off' as const, fromDay: day, toDay: '2026-11-30' }
    expect((await refusal(admin.availability.addException(day1))).status).toBe(422)
    expect((await refusal(admin.availability.addException({ ...day1, toDay: '2028-01-01' }))).status).toBe(422)
    expect(await codeOf(admin.availability.setStaffHours({ id: randomUUID(), weekly: [] }))).toBe('NOT_FOUND')
    const elsewhere = { weekday: 1, opens: '09:00', closes: '12:00', locationId: randomUUID() }
    expect(await codeOf(admin.availability.setStaffHours({ id: second.id, weekly: [elsewhere] }))).toBe('INVALID_REFERENCE')
  })

  it('are closed with the practice’s closed days', async () => {
    const { id } = await add()
    await admin.sequences.setClosedDays({ days: [{ day, name: 'Inventory' }] })
    expect((await openings(id)).days).toEqual([{ day, isClosed: true, times: [] }])
    await admin.sequences.setClosedDays({ days: [] })
  })
})

describe('openings of a visit type', () => {
  it('are those of anyone who does it, in any of its rooms', async () => {
    const { id } = await add({ providerIds: [practice.provider.id, second.id], roomIds })
    const all = await timesOf(id)
    await book({ providerId: practice.provider.id, roomId: roomIds[0]! })
    expect(await timesOf(id)).toEqual(all)
    expect(await timesOf(id, { providerId: practice.provider.id })).not.toContain('10:00')
    await book({ roomId: roomIds[1]! })
    expect(await timesOf(id)).not.toContain('10:00')
  })

  it('leave its buffers free', async () => {
    const { id } = await add({ bufferBefore: 15, bufferAfter: 30 })
    await book({ providerId: practice.provider.id })
    const times = await timesOf(id)
    // 10:00 to 10:45 is booked. A visit until 9:30 has its buffer until 10:00, and one from 11:00 has its own from 10:45.
    expect(times.filter((time) => time > '08:15' && time < '11:15')).toEqual(['08:30', '08:45', '11:00'])
  })

  it('end with the daily maximum of a provider, unless staff insist', async () => {
    const { id } = await add({ maxPerDay: 1 })
    const first = await book({ visitTypeId: id })
    expect(await timesOf(id)).toEqual([])
    expect(await timesOf(id, { except: first.id })).not.toEqual([])
    const later = { visitTypeId: id, startsAt: '2026-12-01T19:00:00Z' }
    expect(await codeOf(book(later))).toBe('OUTSIDE_HOURS')
    expect(await book({ ...later, outsideHours: true })).toMatchObject({ providerId: practice.provider.id })
  })

  it('for patients respect the minimum notice and the horizon', async () => {
    clock.now = new Date('2026-12-01T14:00:00Z')
    const { id } = await add({ noticeHours: 4, horizonDays: 1 })
    expect((await timesOf(id))[0]).toBe('09:00')
    expect((await timesOf(id, { asPatient: 'true' }))[0]).toBe('13:00')
    const days = await openings(id, { days: 3, asPatient: 'true' })
    expect(days.days.map(({ times }) => times.length > 0)).toEqual([true, true, false])
  })

  it('include the next one within a year, and are shown for later days, too', async () => {
    const { id } = await add()
    expect((await openings(id, { from: '2028-01-04' })).days[0]!.times).toContain('09:00')
    await admin.availability.addException({ kind: 'off', profileId: practice.provider.id, fromDay: '2026-11-21', toDay: '2027-06-30' })
    expect((await openings(id)).next).toEqual({ day: '2027-07-01', time: '08:30' })
    await admin.availability.addException({ kind: 'off', profileId: practice.provider.id, fromDay: '2027-07-01', toDay: '2028-03-31' })
    expect((await openings(id)).next).toBeNull()
  })

  it('skip full days, gaps that are too short, and times at which no room is free (issue 29)', async () => {
    const { id } = await add({ bufferBefore: 15, roomIds: [roomIds[0]!] })
    const contactId = await insertContact(server)
    const take = (what: 'provider_id' | 'room_id', resource: string, spans: [day: string, from: string, to: string][]) =>
      server.rows(
        `insert into appointments (contact_id, type, ${what}, starts_at, ends_at, status, created_at, updated_at)
         select $1, 'consult', $2, (day || ' ' || opens)::timestamp at time zone 'America/Toronto', (day || ' ' || closes)::timestamp at time zone 'America/Toronto',
           'booked', now(), now() from unnest($3::text[], $4::text[], $5::text[]) as span (day, opens, closes)`,
        [contactId, resource, spans.map((span) => span[0]), spans.map((span) => span[1]), spans.map((span) => span[2])],
      )
    const [tooShort, noRoom, possible] = ['2027-01-12', '2027-01-13', '2027-01-14']
    const full = Array.from({ length: 100 }, (_, index) => daysLater('2026-11-21', index))
    await take('provider_id', practice.provider.id, [
      ...full.filter((one) => ![tooShort, noRoom, possible].includes(one)).map((one): [string, string, string] => [one, '08:00', '19:00']),
      [tooShort, '08:00', '10:00'],
      [tooShort, '10:59:30', '19:00'],
      [noRoom, '08:00', '10:00'],
      [noRoom, '11:00', '19:00'],
      [possible, '08:00', '10:00'],
      [possible, '11:00', '19:00'],
    ])
    await take('room_id', roomIds[0]!, [[noRoom, '10:30', '10:35']])
    expect((await openings(id)).next).toEqual({ day: possible, time: '10:15' })
    expect((await openings(id, { from: tooShort, days: 4 })).days.map(({ times }) => times)).toEqual([[], [], ['10:15'], []])
    expect((await openings(id, { from: '2026-11-20', days: 4 })).next).toEqual({ day: possible, time: '10:15' })
  })

  it('are not found for a visit type that is not offered', async () => {
    const { isActive: _, ...made } = await add()
    await admin.availability.changeVisitType({ ...made, isActive: false })
    expect(await codeOf(openings(made.id))).toBe('NOT_FOUND')
    const wrong = await refusal(book({ visitTypeId: made.id }))
    expect(wrong.data.fields).toEqual({ visitTypeId: 'This visit type is no longer offered' })
  })
})

describe('booking a visit type', () => {
  it('chooses provider, second person and room, and reserves them with the buffers', async () => {
    const { id } = await add({ bufferBefore: 10, bufferAfter: 5, secondIds: [nurse.id], roomIds })
    const made = await book({ visitTypeId: id })
    expect(made).toMatchObject({
      providerId: practice.provider.id,
      secondPersonId: nurse.id,
      roomId: roomIds[0],
      visitTypeId: id,
      bufferBefore: 10,
      bufferAfter: 5,
    })
    const held = { from: '09:50', to: '10:50' }
    expect(await holdsOf(made.id)).toEqual(
      [practice.provider.id, nurse.id]
        .toSorted()
        .concat(roomIds[0]!)
        .map((resource) => ({ resource, ...held })),
    )
    // The second person cannot see another patient then, nor anyone use the room in the buffer.
    expect((await refusal(book({ secondPersonId: nurse.id }))).data).toMatchObject({ what: 'second' })
    expect(await codeOf(book({ roomId: roomIds[0]!, startsAt: '2026-12-01T15:45:00Z', minutes: 15 }))).toBe('OVERLAP')
    await book({ roomId: roomIds[0]!, startsAt: '2026-12-01T15:50:00Z', minutes: 15 })
  })

  it('takes the provider with fewer of these visits on that day', async () => {
    const { id } = await add({ providerIds: [practice.provider.id, second.id] })
    const made = [
      await book({ visitTypeId: id, startsAt: '2026-12-01T15:00:00Z' }),
      await book({ visitTypeId: id, startsAt: '2026-12-01T17:00:00Z' }),
    ]
    expect(new Set(made.map(({ providerId }) => providerId)).size).toBe(2)
  })

  it('refuses what is taken, naming the booking of a chosen provider, and otherwise that no one is free', async () => {
    const { id } = await add({ providerIds: [practice.provider.id, second.id] })
    await book({ providerId: practice.provider.id })
    await book({ providerId: second.id })
    expect(await codeOf(book({ visitTypeId: id }))).toBe('NO_OPENING')
    expect((await refusal(book({ visitTypeId: id, providerId: second.id }))).data).toMatchObject({ what: 'provider', by: 'appointment' })
  })

  it('refuses people and rooms that are not of the visit type, and the provider as second person', async () => {
    const { id } = await add({ roomIds: [roomIds[0]!] })
    const wrong = await refusal(book({ visitTypeId: id, providerId: second.id, roomId: roomIds[1]! }))
    expect(Object.keys(wrong.data.fields ?? {}).toSorted()).toEqual(['providerId', 'roomId'])
    const same = await refusal(book({ visitTypeId: id, providerId: practice.provider.id, secondPersonId: practice.provider.id }))
    expect(same.data.fields).toEqual({ secondPersonId: 'Choose someone other than the provider' })
  })

  it('keeps the buffers when it moves, and takes those of another visit type', async () => {
    const [one, other] = [await add({ bufferAfter: 15 }), await add({ bufferAfter: 30 })]
    const made = await book({ visitTypeId: one.id })
    const moved = await practice.desk.appointments.change({ id: made.id, version: 1, startsAt: '2026-12-02T15:00:00Z' })
    expect(await holdsOf(made.id)).toEqual([{ resource: practice.provider.id, from: '10:00', to: '11:00' }])
    const changed = await practice.desk.appointments.change({ id: made.id, version: moved.version, visitTypeId: other.id })
    expect(changed).toMatchObject({ visitTypeId: other.id, bufferAfter: 30 })
    expect(await holdsOf(made.id)).toEqual([{ resource: practice.provider.id, from: '10:00', to: '11:15' }])
  })

  it('gives simultaneous requests different providers and rooms, and refuses the rest', async () => {
    const { id } = await add({ providerIds: [practice.provider.id, second.id], roomIds, bufferAfter: 10 })
    const contactIds = await Promise.all(Array.from({ length: 10 }, () => insertContact(server)))
    const results = await Promise.allSettled(contactIds.map((contactId) => book({ contactId, visitTypeId: id })))
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(new Set(made.map(({ providerId }) => providerId))).toEqual(new Set([practice.provider.id, second.id]))
    expect(new Set(made.map(({ roomId }) => roomId))).toEqual(new Set(roomIds.slice(0, 2)))
    expect(made).toHaveLength(2)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NO_OPENING' })
  })
})

describe('equipment', () => {
  const locationOf = async () => (await practice.desk.practice.locations())[0]!.id
  const addLaser = async (count: number) =>
    admin.availability.addEquipment({ name: randomUUID(), units: [{ locationId: await locationOf(), count }] })

  it('is added and changed by administrators, with an audit entry (issue 29)', async () => {
    const locationId = await locationOf()
    const laser = await admin.availability.addEquipment({ name: 'Laser', units: [{ locationId, count: 2 }] })
    expect(laser).toMatchObject({ name: 'Laser', isActive: true, units: [{ locationId, count: 2 }] })
    expect(await codeOf(admin.availability.addEquipment({ name: 'LASER', units: [] }))).toBe('NAME_TAKEN')
    expect(await codeOf(admin.availability.addEquipment({ name: 'Other', units: [{ locationId: randomUUID(), count: 1 }] }))).toBe(
      'INVALID_REFERENCE',
    )
    const changed = await admin.availability.changeEquipment({
      id: laser.id,
      name: 'Laser',
      units: [{ locationId, count: 1 }],
      isActive: true,
    })
    expect(changed.units).toEqual([{ locationId, count: 1 }])
    expect(await codeOf(admin.availability.changeEquipment({ ...changed, id: randomUUID() }))).toBe('NOT_FOUND')
    expect(await practice.desk.availability.equipment()).toContainEqual(changed)
    expect((await refusal(practice.desk.availability.addEquipment({ name: 'Mine', units: [] }))).status).toBe(403)
    const [entry] = await server.rows("select action, before, after from audit_log where kind = 'equipment' order by id desc limit 1")
    expect(entry).toMatchObject({ action: 'changed', before: { units: [{ count: 2 }] }, after: { units: [{ count: 1 }] } })
    await admin.availability.changeEquipment({ ...changed, isActive: false })
    expect(await codeOf(add({ equipmentIds: [laser.id] }))).toBe('INVALID_REFERENCE')
  })

  it('limits how many visits take place at once, and is reserved by the constraint, one piece for each (issue 29)', async () => {
    const laser = await addLaser(2)
    const visit = await add({
      providerIds: [practice.provider.id, second.id, nurseWhoTreats.id],
      equipmentIds: [laser.id],
      bufferAfter: 15,
    })
    const at = { visitTypeId: visit.id, startsAt: '2026-12-01T15:00:00Z' }
    const booked = await Promise.allSettled([1, 2, 3].map(() => book(at)))
    expect(booked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    const held = await server.rows<{ id: string }>("select resource_id as id from time_holds where what = 'equipment'")
    expect(new Set(held.map(({ id }) => id)).size).toBe(2)
    const times = await timesOf(visit.id)
    expect(times).not.toContain('10:00')
    expect(times).not.toContain('10:45')
    expect(times).toContain('11:00')
    // The other two still see patients for visits without it.
    const other = await add({ providerIds: [practice.provider.id, second.id, nurseWhoTreats.id] })
    expect(await timesOf(other.id)).toContain('10:00')
  })

  it('moves with a visit to a piece that is free, and is free again when the visit is cancelled or its type changes (issue 29)', async () => {
    const laser = await addLaser(2)
    const visit = await add({ providerIds: [practice.provider.id, second.id, nurseWhoTreats.id], equipmentIds: [laser.id] })
    const unitsAt = async (startsAt: string) =>
      (
        await server.rows<{ id: string }>("select resource_id as id from time_holds where what = 'equipment' and starts_at = $1", [
          startsAt,
        ])
      ).map(({ id }) => id)
    const [ten, noon] = ['2026-12-01T15:00:00Z', '2026-12-01T17:00:00Z']
    await book({ visitTypeId: visit.id, startsAt: noon })
    const moved = await book({ visitTypeId: visit.id, startsAt: ten })
    const free = (await practice.desk.appointments.openings({ from: day, days: 1, minutes: 45, visitTypeId: visit.id })).days[0]!.times
    expect(free).toContain('12:00')
    const after = await practice.desk.appointments.change({
      id: moved.id,
      version: moved.version,
      startsAt: noon,
      ...(await anotherProvider(noon)),
    })
    expect(new Set(await unitsAt(noon)).size).toBe(2)
    expect(await unitsAt(ten)).toEqual([])
    expect(await codeOf(book({ visitTypeId: visit.id, startsAt: noon }))).toBe('NO_OPENING')
    const third = await book({ visitTypeId: visit.id, startsAt: ten })
    expect(
      (await refusal(practice.desk.appointments.change({ id: third.id, version: 1, startsAt: noon, providerId: nurseWhoTreats.id }))).data,
    ).toMatchObject({
      what: 'equipment',
    })
    const plain = await add({ providerIds: [practice.provider.id, second.id, nurseWhoTreats.id] })
    await practice.desk.appointments.change({ id: after.id, version: after.version, visitTypeId: plain.id })
    expect(await unitsAt(noon)).toHaveLength(1)
    await practice.desk.appointments.setStatus({ id: third.id, version: 1, status: 'cancelled', reason: 'Is ill' })
    expect(await unitsAt(ten)).toEqual([])
  })

  /** A provider of the three who has nothing then. */
  async function anotherProvider(startsAt: string): Promise<{ providerId: string }> {
    const taken = (
      await server.rows<{ id: string }>("select resource_id as id from time_holds where what = 'provider' and starts_at = $1", [startsAt])
    ).map(({ id }) => id)
    return { providerId: [practice.provider.id, second.id].find((id) => !taken.includes(id))! }
  }
})
