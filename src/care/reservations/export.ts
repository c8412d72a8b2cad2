import { and, asc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { beginningOf, daysLater, toLocal } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ListExport } from '../../platform/list-export.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { BookingRow, BookingTable } from './bookings.ts'

/** The common filters of an export; each adds its own provider or surgeon. */
export const exportInput = z.strictObject({
  /** Inclusive dates in the practice's time zone; everything if omitted. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  roomId: z.uuid().optional(),
  /** Whether to include bookings that no longer occupy their time. */
  all: z.enum(['true', 'false'], 'Must be true or false').default('false'),
})

const pageSize = 500

/** Names for a row. */
interface RowDetails {
  patient: string
  /** The provider or the surgeon. */
  person: string | null
  room: string | null
}

interface Definition<Input, Row> {
  name: string
  kind: 'appointment' | 'surgery'
  table: BookingTable & Record<'roomId' | 'status', AnyPgColumn>
  /** The provider or surgeon column, and how to read its filter from the input. */
  person: AnyPgColumn
  personIn: (input: Input) => string | undefined
  input: z.ZodType<Input>
  blockingStatuses: readonly string[]
  /** Headings after date, time and minutes. */
  head: readonly string[]
  cellsOf: (row: Row, details: RowDetails) => (string | null)[]
}

/** An export of bookings in chronological order, read a page at a time. */
export function defineBookingExport<Row extends BookingRow, Input extends z.output<typeof exportInput>>(
  definition: Definition<Input, Row>,
): ListExport<Input> {
  const { name, kind, table, person, personIn, blockingStatuses, cellsOf } = definition
  const head = ['Date', 'Time', 'Minutes', ...definition.head]
  return {
    name,
    kind,
    input: definition.input,
    head: () => head,
    async *read({ db, env }, input) {
      const zone = env.PRACTICE_TIME_ZONE
      const personId = personIn(input)
      const wanted = and(
        input.from ? gte(table.startsAt, beginningOf(input.from, zone)) : undefined,
        input.to ? lt(table.startsAt, beginningOf(daysLater(input.to, 1), zone)) : undefined,
        personId ? eq(person, personId) : undefined,
        input.roomId ? eq(table.roomId, input.roomId) : undefined,
        input.all === 'true' ? undefined : inArray(table.status, [...blockingStatuses]),
      )
      for (let after: SQL | undefined; ;) {
        const found = await db
          .select({ row: table, firstName: contacts.firstName, lastName: contacts.lastName, person: profiles.name, room: rooms.name })
          .from(table)
          .innerJoin(contacts, eq(contacts.id, table.contactId))
          .leftJoin(profiles, eq(profiles.id, person))
          .leftJoin(rooms, eq(rooms.id, table.roomId))
          .where(and(wanted, after))
          .orderBy(asc(table.startsAt), asc(table.id))
          .limit(pageSize)
        const rows = found.map((one) => ({ ...one, row: one.row as Row }))
        yield {
          rows: rows.map(({ row, firstName, lastName, ...details }) => {
            const { day, time } = toLocal(row.startsAt, zone)
            const minutes = Math.round((row.endsAt.getTime() - row.startsAt.getTime()) / 60_000)
            const cells = cellsOf(row, { patient: `${firstName} ${lastName}`.trim(), ...details })
            return [day, time, String(minutes), ...cells.map((cell) => cell ?? '')]
          }),
          contactIds: rows.map(({ row }) => row.contactId),
        }
        const last = rows.at(-1)?.row
        if (!last || rows.length < pageSize) return
        after = sql`(${table.startsAt}, ${table.id}) > (${last.startsAt.toISOString()}::timestamptz, ${last.id}::uuid)`
      }
    },
  }
}
