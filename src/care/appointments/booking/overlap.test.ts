import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { insertContact, insertContacts } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { createRandom } from '../../../../demo/random.ts'

const practice = usePractice()
const { server, book } = practice

const overlapOf = async (call: Promise<unknown>) => {
  const { code, status, data } = await refusal(call)
  return [code, status, data]
}
const overlapWith = (what: 'provider' | 'room', startsAt: string, endsAt: string) => [
  'OVERLAP',
  409,
  { what, startsAt: `${startsAt}.000Z`, endsAt: `${endsAt}.000Z`, by: 'appointment' },
]

/** Pairs of appointments in the database that overlap in the same room or with the same provider. */
const overlaps = () =>
  server.rows(
    `select a.id, b.id as other from appointments as a join appointments as b on a.id < b.id
       and (a.room_id = b.room_id or a.provider_id = b.provider_id)
       and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
     where a.status in ('booked', 'confirmed', 'arrived', 'completed') and b.status in ('booked', 'confirmed', 'arrived', 'completed')`,
  )

describe('overlaps', () => {
  it('refuses an overlap of a provider or a room and returns the booked time; allows back-to-back appointments', async () => {
    const [room, other] = practice.rooms
    const { id: providerId } = practice.provider
    await book({ providerId, roomId: room!.id })
    const existing = ['2026-12-01T15:00:00', '2026-12-01T15:45:00'] as const
    expect(await overlapOf(book({ providerId, startsAt: '2026-12-01T15:44:00Z' }))).toEqual(overlapWith('provider', ...existing))
    expect(await overlapOf(book({ providerId, roomId: room!.id, startsAt: '2026-12-01T14:30:00Z' }))).toEqual(
      overlapWith('provider', ...existing),
    )
    expect(await overlapOf(book({ roomId: room!.id, startsAt: '2026-12-01T14:30:00Z' }))).toEqual(overlapWith('room', ...existing))
    expect(await overlapOf(book({ roomId: room!.id, startsAt: '2026-12-01T14:00:00Z', minutes: 300 }))).toEqual(
      overlapWith('room', ...existing),
    )
    await book({ providerId, roomId: room!.id, startsAt: '2026-12-01T15:45:00Z' })
    await book({ providerId, roomId: room!.id, startsAt: '2026-12-01T14:15:00Z' })
    await book({ roomId: other!.id })
    await book({})
  })

  it('refuses a move, a change or a reinstatement that overlaps, and writes nothing', async () => {
    const room = await (await server.as('admin')).practice.addRoom({ name: 'Moves', kind: 'consult' })
    const roomId = room.id
    await book({ roomId })
    const existing = ['2026-12-01T15:00:00', '2026-12-01T15:45:00'] as const
    const contactId = await insertContact(server)
    const { id } = await book({ contactId, roomId, startsAt: '2026-12-01T16:00:00Z' })
    const { change, setStatus } = practice.desk.appointments
    const before = await practice.timelineOf(contactId)
    expect(await overlapOf(change({ id, version: 1, startsAt: '2026-12-01T15:30:00Z' }))).toEqual(overlapWith('room', ...existing))
    const elsewhere = await book({ contactId })
    expect(await overlapOf(change({ id: elsewhere.id, version: 1, roomId }))).toEqual(overlapWith('room', ...existing))
    const longer = await book({ contactId, roomId, startsAt: '2026-12-01T14:30:00Z', minutes: 30 })
    expect(await overlapOf(change({ id: longer.id, version: 1, minutes: 31 }))).toEqual(overlapWith('room', ...existing))

    await setStatus({ id, version: 1, status: 'cancelled', reason: 'Is ill' })
    await book({ roomId, startsAt: '2026-12-01T16:30:00Z' })
    const lines = await practice.timelineOf(contactId)
    expect(await overlapOf(setStatus({ id, version: 2, status: 'booked' }))).toEqual(
      overlapWith('room', '2026-12-01T16:30:00', '2026-12-01T17:15:00'),
    )
    expect(await practice.timelineOf(contactId)).toEqual(lines)
    expect(lines.length).toBeGreaterThan(before.length)
    const [task] = await (await server.as('admin')).tasks.ofContact({ contactId })
    expect(task!.status).toBe('pending')
    expect(await practice.desk.appointments.get({ id })).toMatchObject({ status: 'cancelled', version: 2 })
  })

  it('books one of two simultaneous requests and refuses the other', async () => {
    const room = await (await server.as('admin')).practice.addRoom({ name: 'Twice', kind: 'consult' })
    const contacts = await insertContacts(
      server,
      Array.from({ length: 12 }, () => ({})),
    )
    const answers = await Promise.allSettled(
      contacts.map((contactId) => book({ contactId, roomId: room.id, providerId: practice.provider.id, startsAt: '2026-12-09T15:00:00Z' })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [(answer.reason as { code: string }).code] : []))
    expect(new Set(codes)).toEqual(new Set(['OVERLAP']))
  })

  it('is enforced by the database', async () => {
    const contactId = await insertContact(server)
    const insert = (roomId: string | null, providerId: string | null) =>
      server.rows(
        `insert into appointments (contact_id, type, room_id, provider_id, starts_at, ends_at, created_at, updated_at)
         values ($1, 'other', $2, $3, '2027-05-01T10:00Z', '2027-05-01T11:00Z', now(), now())`,
        [contactId, roomId, providerId],
      )
    await insert(practice.rooms[0]!.id, null)
    await insert(null, practice.provider.id)
    await expect(insert(practice.rooms[0]!.id, null)).rejects.toMatchObject({ code: '23P01', constraint: 'time_holds_free' })
    await expect(insert(null, practice.provider.id)).rejects.toMatchObject({ code: '23P01', constraint: 'time_holds_free' })
  })
})

/** Raise these for a longer run, for example WRITERS=50 STEPS=40. */
const writers = Number(process.env.WRITERS ?? 50)
const steps = Number(process.env.STEPS ?? 5)

describe('concurrent changes', () => {
  it(
    `${writers} concurrent writers book, move, cancel and reinstate in 3 rooms with 3 providers without overlaps or errors`,
    {
      timeout: 240_000,
    },
    async () => {
      const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
      const random = createRandom(seed)
      const rooms = practice.rooms.slice(0, 3).map(({ id }) => id)
      const people = await Promise.all([1, 2, 3].map(() => server.account({ role: 'provider' })))
      const clients = people.map(({ cookie }) => server.client(cookie))
      const contacts = await insertContacts(
        server,
        Array.from({ length: 20 }, () => ({})),
      )
      const made: string[] = []
      const outcomes = new Map<string, number>()

      const maybe = <Item>(items: readonly Item[]): Item | null => (random.chance(0.85) ? random.pick(items) : null)
      // One day in five-minute steps, so that most requests overlap; a past day, so that appointments can be missed.
      const time = () => new Date(Date.parse('2026-11-16T13:30:00Z') + random.int(0, 90) * 300_000).toISOString()
      const minutes = () => 5 * random.int(1, 24)
      const place = () => ({
        startsAt: time(),
        minutes: minutes(),
        providerId: maybe(people)?.id ?? null,
        roomId: maybe(rooms),
        outsideHours: true,
      })

      const step = async (client: (typeof clients)[number]): Promise<string> => {
        const { appointments } = client
        if (made.length < 5 || random.chance(0.3)) {
          const given = {
            ...place(),
            contactId: random.pick(contacts),
            type: random.pick(['consult', 'follow_up'] as const),
            idempotencyKey: randomUUID(),
          } as const
          const { id } = await appointments.book(given)
          made.push(id)
          return 'booked'
        }
        const id = random.pick(made)
        const { version, status } = await appointments.get({ id })
        const isOff = status === 'cancelled' || status === 'no_show'
        if (isOff || random.chance(0.4)) {
          const next = isOff ? 'booked' : random.chance(0.5) ? 'cancelled' : 'no_show'
          await appointments.setStatus({ id, version, status: next, ...(next === 'cancelled' ? { reason: 'Is ill' } : {}) })
          return next === 'booked' ? 'reinstated' : 'released'
        }
        const { startsAt, minutes: length, providerId, roomId } = place()
        await appointments.change({
          id,
          version,
          ...random.pick([{ startsAt }, { startsAt, minutes: length }, { providerId }, { roomId }, place()]),
          outsideHours: true,
        })
        return 'moved'
      }
      await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let i = 0; i < steps; i++) {
            const outcome = await step(clients[writer % 3]!).catch(
              (error: { code?: string; status?: number }) => `${error.status} ${error.code}`,
            )
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
          }
        }),
      )
      const seen = Object.fromEntries(outcomes)
      const expected = ['booked', 'moved', 'released', 'reinstated', '409 OVERLAP', '409 CONFLICT', '409 NOT_HOLDING', '409 NOT_POSSIBLE']
      expect(
        Object.keys(seen).filter((outcome) => !expected.includes(outcome)),
        `seed ${seed}`,
      ).toEqual([])
      for (const outcome of ['booked', 'moved', 'released', 'reinstated', '409 OVERLAP'])
        expect(seen[outcome], `${outcome}, seed ${seed}`).toBeGreaterThan(0)
      expect(await overlaps(), `seed ${seed}`).toEqual([])
      // Each record shows its patient's next appointment.
      const wrong = await server.rows(
        `select contacts.id, appointment_date, appointment_time, next.at from contacts
       left join lateral (
         select to_char(starts_at at time zone 'America/Toronto', 'YYYY-MM-DD HH24:MI') as at from appointments
         where contact_id = contacts.id and status in ('booked', 'confirmed', 'arrived') and ends_at > $2 order by starts_at, id limit 1) as next on true
       where contacts.id = any($1) and to_char(appointment_date, 'YYYY-MM-DD') || ' ' || appointment_time is distinct from next.at`,
        [contacts, practice.clock.now],
      )
      expect(wrong).toEqual([])
      // One open rebooking task per missed or cancelled appointment.
      const [counted] = await server.rows<{ tasks: number; off: number }>(
        `select (select count(*)::int from tasks where contact_id = any($1) and status = 'pending') as tasks,
         (select count(*)::int from appointments where contact_id = any($1) and status in ('no_show', 'cancelled')) as off`,
        [contacts],
      )
      expect(counted!.tasks).toBe(counted!.off)
    },
  )
})
