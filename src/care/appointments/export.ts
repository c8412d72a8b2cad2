import { and, asc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ListExport } from '../../platform/list-export.ts'
import { calendarDay } from '../../shared/dates.ts'
import { beginningOf, daysLater, toLocal } from '../../shared/zoned-time.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { holding, typeNames } from './rules.ts'
import { appointments } from './table.ts'

const input = z.strictObject({
  /** Days on the practice's clock, both of them within; all that there are without. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  providerId: z.uuid().optional(),
  roomId: z.uuid().optional(),
  /** Those that were cancelled or missed are left out unless they are asked for. */
  all: z.enum(['true', 'false'], 'Say true or false').default('false'),
})
const atOnce = 500
const head = ['Date', 'Time', 'Minutes', 'Type', 'Status', 'Patient', 'Provider', 'Room', 'Notes', 'Cancelled because']

/** GET /api/appointments.csv or .xlsx: appointments in their order. */
export const appointmentsExport: ListExport<z.output<typeof input>> = {
  name: 'appointments',
  kind: 'appointment',
  input,
  head: () => head,
  async *read({ db, env }, { from, to, providerId, roomId, all }) {
    const zone = env.PRACTICE_TIME_ZONE
    const wanted = and(
      from ? gte(appointments.startsAt, beginningOf(from, zone)) : undefined,
      to ? lt(appointments.startsAt, beginningOf(daysLater(to, 1), zone)) : undefined,
      providerId ? eq(appointments.providerId, providerId) : undefined,
      roomId ? eq(appointments.roomId, roomId) : undefined,
      all === 'true' ? undefined : inArray(appointments.status, [...holding]),
    )
    for (let after: SQL | undefined; ; ) {
      const found = await db
        .select({
          one: appointments,
          firstName: contacts.firstName,
          lastName: contacts.lastName,
          provider: profiles.name,
          room: rooms.name,
        })
        .from(appointments)
        .innerJoin(contacts, eq(contacts.id, appointments.contactId))
        .leftJoin(profiles, eq(profiles.id, appointments.providerId))
        .leftJoin(rooms, eq(rooms.id, appointments.roomId))
        .where(and(wanted, after))
        .orderBy(asc(appointments.startsAt), asc(appointments.id))
        .limit(atOnce)
      yield {
        rows: found.map(({ one, firstName, lastName, provider, room }) => {
          const { day, time } = toLocal(one.startsAt, zone)
          const minutes = Math.round((one.endsAt.getTime() - one.startsAt.getTime()) / 60_000)
          const words = [typeNames[one.type], one.status, `${firstName} ${lastName}`.trim(), provider, room, one.notes, one.cancelReason]
          return [day, time, String(minutes), ...words.map((word) => word ?? '')]
        }),
        contactIds: found.map(({ one }) => one.contactId),
      }
      const last = found.at(-1)?.one
      if (!last || found.length < atOnce) return
      after = sql`(${appointments.startsAt}, ${appointments.id}) > (${last.startsAt.toISOString()}::timestamptz, ${last.id}::uuid)`
    }
  },
}
