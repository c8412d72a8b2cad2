import { and, asc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ListExport } from '../../platform/list-export.ts'
import { calendarDay } from '../../shared/dates.ts'
import { amountOfCents } from '../../shared/money.ts'
import { beginningOf, daysLater, toLocal } from '../../shared/zoned-time.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { holding } from './rules.ts'
import { surgeries } from './table.ts'

const input = z.strictObject({
  /** Days on the practice's clock, both of them within; all that there are without. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  surgeonId: z.uuid().optional(),
  roomId: z.uuid().optional(),
  /** Those that were cancelled or put off are left out unless they are asked for. */
  all: z.enum(['true', 'false'], 'Say true or false').default('false'),
})
const atOnce = 500
const head = ['Date', 'Time', 'Minutes', 'Procedures', 'Status', 'Patient', 'Surgeon', 'Room', 'Anaesthesia', 'Implants', 'Price', 'Notes']

/** GET /api/surgeries.csv or .xlsx: surgeries in their order. */
export const surgeriesExport: ListExport<z.output<typeof input>> = {
  name: 'surgeries',
  kind: 'surgery',
  input,
  head: () => head,
  async *read({ db, env }, { from, to, surgeonId, roomId, all }) {
    const zone = env.PRACTICE_TIME_ZONE
    const wanted = and(
      from ? gte(surgeries.startsAt, beginningOf(from, zone)) : undefined,
      to ? lt(surgeries.startsAt, beginningOf(daysLater(to, 1), zone)) : undefined,
      surgeonId ? eq(surgeries.surgeonId, surgeonId) : undefined,
      roomId ? eq(surgeries.roomId, roomId) : undefined,
      all === 'true' ? undefined : inArray(surgeries.status, [...holding]),
    )
    for (let after: SQL | undefined; ; ) {
      const found = await db
        .select({ one: surgeries, firstName: contacts.firstName, lastName: contacts.lastName, surgeon: profiles.name, room: rooms.name })
        .from(surgeries)
        .innerJoin(contacts, eq(contacts.id, surgeries.contactId))
        .leftJoin(profiles, eq(profiles.id, surgeries.surgeonId))
        .leftJoin(rooms, eq(rooms.id, surgeries.roomId))
        .where(and(wanted, after))
        .orderBy(asc(surgeries.startsAt), asc(surgeries.id))
        .limit(atOnce)
      yield {
        rows: found.map(({ one, firstName, lastName, surgeon, room }) => {
          const { day, time } = toLocal(one.startsAt, zone)
          const minutes = Math.round((one.endsAt.getTime() - one.startsAt.getTime()) / 60_000)
          const procedures = one.procedures.map(({ name }) => name).join('; ')
          const price = one.priceCents === null ? '' : amountOfCents(one.priceCents).toFixed(2)
          const words = [
            procedures,
            one.status,
            `${firstName} ${lastName}`.trim(),
            surgeon,
            room,
            one.anaesthesia,
            one.implants,
            price,
            one.notes,
          ]
          return [day, time, String(minutes), ...words.map((word) => word ?? '')]
        }),
        contactIds: found.map(({ one }) => one.contactId),
      }
      const last = found.at(-1)?.one
      if (!last || found.length < atOnce) return
      after = sql`(${surgeries.startsAt}, ${surgeries.id}) > (${last.startsAt.toISOString()}::timestamptz, ${last.id}::uuid)`
    }
  },
}
