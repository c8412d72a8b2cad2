import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../demo/random.ts'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'

// On a busy machine, 50 writers may wait for one of ten connections longer than the request timeout.
const theatre = useSurgeryPractice({ DATABASE_POOL: '25' })
const { server, operate, book } = theatre

const overlapOf = async (call: Promise<unknown>) => {
  const { code, status, data } = await refusal(call)
  return [code, status, data]
}
const overlapWith = (what: 'provider' | 'room' | 'patient', startsAt: string, endsAt: string, by: 'appointment' | 'surgery') => [
  'OVERLAP',
  409,
  { what, startsAt: `${startsAt}.000Z`, endsAt: `${endsAt}.000Z`, by },
]

/** Pairs in the database that overlap: cases and appointments by room or provider, cases also by patient. */
const overlaps = () =>
  server.rows(
    `with taken as (
       select id, room_id, provider_id, null::uuid as patient_id, tstzrange(starts_at, ends_at) as during from appointments
       where status in ('booked', 'confirmed', 'arrived', 'completed')
       union all
       select id, room_id, surgeon_id, contact_id, tstzrange(starts_at, ends_at) from surgeries
       where status in ('tentative', 'confirmed', 'completed'))
     select a.id, b.id as other from taken as a join taken as b on a.id < b.id and a.during && b.during
       and (a.room_id = b.room_id or a.provider_id = b.provider_id or a.patient_id = b.patient_id)`,
  )

describe('overlaps of surgeries', () => {
  it('refuses an overlap of a surgeon or a room with a case or an appointment and returns it; allows back-to-back bookings', async () => {
    const { provider, operatingRoom, rooms, desk } = theatre
    const surgery = await operate({ surgeonId: provider.id, roomId: operatingRoom.id })
    const existing = ['2026-12-01T13:00:00', '2026-12-01T16:00:00', 'surgery'] as const
    expect(await overlapOf(operate({ surgeonId: provider.id, startsAt: '2026-12-01T15:59:00Z' }))).toEqual(
      overlapWith('provider', ...existing),
    )
    expect(await overlapOf(operate({ roomId: operatingRoom.id, startsAt: '2026-12-01T10:01:00Z' }))).toEqual(
      overlapWith('room', ...existing),
    )
    expect(await overlapOf(book({ providerId: provider.id, startsAt: '2026-12-01T15:30:00Z' }))).toEqual(
      overlapWith('provider', ...existing),
    )
    const visit = await book({ providerId: provider.id, roomId: rooms[0]!.id, startsAt: '2026-12-01T16:00:00Z' })
    const visitAt = ['2026-12-01T16:00:00', '2026-12-01T16:45:00', 'appointment'] as const
    expect(await overlapOf(desk.surgeries.change({ id: surgery.id, version: 1, minutes: 181 }))).toEqual(
      overlapWith('provider', ...visitAt),
    )
    expect(await overlapOf(operate({ roomId: rooms[0]!.id, startsAt: '2026-12-01T14:00:00Z' }))).toEqual(overlapWith('room', ...visitAt))
    await operate({ surgeonId: provider.id, roomId: operatingRoom.id, startsAt: '2026-12-01T16:45:00Z' })
    await operate({})
    await desk.appointments.setStatus({ id: visit.id, version: 1, status: 'cancelled', reason: 'Is ill' })
    await desk.surgeries.change({ id: surgery.id, version: 1, minutes: 200 })
  })

  it('refuses to reinstate a postponed or cancelled surgery that overlaps, and writes nothing', async () => {
    const { desk } = theatre
    const { id: roomId } = await theatre.admin.practice.addRoom({ name: 'Theatre 2', kind: 'operating' })
    const { setStatus } = desk.surgeries
    for (const status of ['postponed', 'cancelled'] as const) {
      const surgery = await operate({ roomId, priceCents: 5 })
      await setStatus({ id: surgery.id, version: 1, status, ...(status === 'cancelled' ? { reason: 'Is ill' } : {}) })
      const other = await book({ roomId, startsAt: '2026-12-01T15:00:00Z' })
      const lines = await theatre.timelineOf(surgery.contact.id)
      expect(await overlapOf(setStatus({ id: surgery.id, version: 2, status: 'tentative' }))).toEqual(
        overlapWith('room', '2026-12-01T15:00:00', '2026-12-01T15:45:00', 'appointment'),
      )
      expect(await theatre.timelineOf(surgery.contact.id)).toEqual(lines)
      expect(await theatre.recordOf(surgery.contact.id)).toEqual(['Surgery Booked', null, null])
      await desk.appointments.setStatus({ id: other.id, version: 1, status: 'cancelled', reason: 'Makes room' })
    }
  })

  it('refuses two surgeries of one patient at once, also without surgeon and room, on reinstatement and for simultaneous requests', async () => {
    const { desk } = theatre
    const first = await operate()
    const { id: contactId } = first.contact
    const existing = ['2026-12-01T13:00:00', '2026-12-01T16:00:00', 'surgery'] as const
    expect(await overlapOf(operate({ contactId, startsAt: '2026-12-01T15:59:00Z' }))).toEqual(overlapWith('patient', ...existing))
    const next = await operate({ contactId, startsAt: '2026-12-01T16:00:00Z' })
    const earlier = { id: next.id, version: 1, startsAt: '2026-12-01T15:45:00Z' }
    expect(await overlapOf(desk.surgeries.change(earlier))).toEqual(overlapWith('patient', ...existing))
    await book({ contactId, startsAt: '2026-12-01T14:00:00Z' })
    await desk.surgeries.setStatus({ id: first.id, version: 1, status: 'postponed' })
    await desk.surgeries.change(earlier)
    const back = desk.surgeries.setStatus({ id: first.id, version: 2, status: 'confirmed' })
    expect(await overlapOf(back)).toEqual(overlapWith('patient', '2026-12-01T15:45:00', '2026-12-01T18:45:00', 'surgery'))
    const patient = await insertContact(server)
    const results = await Promise.allSettled([1, 2].map(() => operate({ contactId: patient })))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is enforced by the database', async () => {
    const [contactId] = await insertContacts(server, [{}])
    const insert = (place: 'surgeries' | 'appointments', who: string, kind: string) =>
      server.rows(
        `insert into ${place} (contact_id, ${who}, room_id, ${kind}, starts_at, ends_at, created_at, updated_at)
         values ($1, $2, $3, ${place === 'surgeries' ? `'[]', 'local'` : `'other'`}, '2027-05-01T10:00Z', '2027-05-01T11:00Z', now(), now())`,
        [contactId, theatre.provider.id, theatre.operatingRoom.id],
      )
    await insert('surgeries', 'surgeon_id', 'procedures, anaesthesia')
    const taken = { code: '23P01', constraint: 'time_holds_free' }
    await expect(insert('surgeries', 'surgeon_id', 'procedures, anaesthesia')).rejects.toMatchObject(taken)
    await expect(insert('appointments', 'provider_id', 'type')).rejects.toMatchObject(taken)
  })
})

/** Raise these for a longer run, for example WRITERS=50 STEPS=40. */
const writers = Number(process.env.WRITERS ?? 50)
const steps = Number(process.env.STEPS ?? 5)

describe('concurrent changes', () => {
  it(
    `${writers} concurrent writers book, move, postpone and reinstate cases and appointments without overlaps or errors`,
    {
      timeout: 240_000,
    },
    async () => {
      const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
      const random = createRandom(seed)
      const rooms = theatre.rooms.slice(0, 3).map(({ id }) => id)
      const people = await Promise.all([1, 2, 3].map(() => server.account({ role: 'provider' })))
      const clients = people.map(({ cookie }) => server.client(cookie))
      const contacts = await insertContacts(
        server,
        Array.from({ length: 20 }, () => ({})),
      )
      const made = { surgeries: [] as string[], appointments: [] as string[] }
      const outcomes = new Map<string, number>()

      const maybe = <Item>(items: readonly Item[]): Item | null => (random.chance(0.85) ? random.pick(items) : null)
      // Two days in 15-minute steps, so that most requests overlap.
      const startsAt = () => new Date(Date.parse('2026-12-14T13:00:00Z') + random.int(0, 192) * 900_000).toISOString()
      const span = () => ({ startsAt: startsAt(), minutes: 15 * random.int(1, 12) })
      const key = () => ({ contactId: random.pick(contacts), idempotencyKey: randomUUID() })

      const visit = async ({ appointments }: (typeof clients)[number]): Promise<string> => {
        const place = () => ({ ...span(), providerId: maybe(people)?.id ?? null, roomId: maybe(rooms), outsideHours: true })
        if (made.appointments.length < 5 || random.chance(0.3)) {
          made.appointments.push((await appointments.book({ ...key(), ...place(), type: 'follow_up' })).id)
          return 'booked'
        }
        const id = random.pick(made.appointments)
        const { version, status } = await appointments.get({ id })
        const isOff = status === 'cancelled'
        if (isOff || random.chance(0.4)) {
          await appointments.setStatus({ id, version, ...(isOff ? { status: 'booked' } : { status: 'cancelled', reason: 'Is ill' }) })
          return isOff ? 'reinstated' : 'released'
        }
        await appointments.change({ id, version, ...place() })
        return 'moved'
      }
      const operation = async ({ surgeries }: (typeof clients)[number]): Promise<string> => {
        const place = () => ({ ...span(), surgeonId: maybe(people)?.id ?? null, roomId: maybe(rooms) })
        if (made.surgeries.length < 5 || random.chance(0.3)) {
          const procedureIds = [theatre.procedures[0]!.id]
          made.surgeries.push((await surgeries.create({ ...key(), ...place(), procedureIds, anaesthesia: 'local', priceCents: 5 })).id)
          return 'operation booked'
        }
        const id = random.pick(made.surgeries)
        const { version, status } = await surgeries.get({ id })
        const isOff = status === 'cancelled' || status === 'postponed'
        if (isOff && random.chance(0.7)) {
          await surgeries.setStatus({ id, version, status: 'tentative' })
          return 'operation reinstated'
        }
        if (!isOff && random.chance(0.4)) {
          const next = random.pick([{ status: 'cancelled', reason: 'Is ill' }, { status: 'postponed' }, { status: 'confirmed' }] as const)
          await surgeries.setStatus({ id, version, ...next })
          return next.status === 'confirmed' ? 'operation confirmed' : 'operation released'
        }
        const { startsAt: at, ...rest } = place()
        await surgeries.change({ id, version, ...random.pick([{ startsAt: at }, rest, { startsAt: at, ...rest }]) })
        return 'operation moved'
      }
      const work = async (client: (typeof clients)[number]) => {
        for (let i = 0; i < steps; i++) {
          const step = random.chance(0.6) ? operation : visit
          const outcome = await step(client).catch((error: { code?: string; status?: number }) => `${error.status} ${error.code}`)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
      }
      // A round may end before each kind of change has succeeded, since the order of the answers is not fixed: another follows.
      const wanted = ['operation booked', 'operation moved', 'operation released', 'operation reinstated', 'booked', '409 OVERLAP']
      for (let round = 0; round < 10 && !wanted.every((outcome) => outcomes.has(outcome)); round++)
        await Promise.all(Array.from({ length: writers }, (_, writer) => work(clients[writer % 3]!)))
      const seen = Object.fromEntries(outcomes)
      const refused = ['409 OVERLAP', '409 CONFLICT', '409 NOT_HOLDING', '409 NOT_POSSIBLE']
      const statuses = Object.keys(seen).filter((outcome) => /^\S+ [A-Z_]+$/.test(outcome))
      expect(
        statuses.filter((outcome) => !refused.includes(outcome)),
        `seed ${seed}: ${JSON.stringify(seen)}`,
      ).toEqual([])
      for (const outcome of wanted) expect(seen[outcome] ?? 0, `${outcome}, seed ${seed}`).toBeGreaterThan(0)
      expect(await overlaps(), `seed ${seed}`).toEqual([])
      // time_holds matches the bookings, and each record shows its patient's next surgery.
      const [held] = await server.rows<{ held: number; wanted: number }>(
        `select count(*)::int as held,
         (select count(surgeon_id) + count(room_id) from surgeries where status in ('tentative', 'confirmed', 'completed'))::int
         + (select count(provider_id) + count(room_id) from appointments where status in ('booked', 'confirmed', 'arrived', 'completed'))::int
         as wanted from time_holds`,
      )
      expect(held!.held).toBe(held!.wanted)
      const wrong = await server.rows(
        `select contacts.id from contacts left join lateral (
         select to_char(starts_at at time zone 'America/Toronto', 'YYYY-MM-DD') as day from surgeries
         where contact_id = contacts.id and status in ('tentative', 'confirmed') order by starts_at, id limit 1) as next on true
       where contacts.id = any($1) and to_char(surgical_date, 'YYYY-MM-DD') is distinct from next.day`,
        [contacts],
      )
      expect(wrong).toEqual([])
    },
  )
})
