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

/** What may be asked of the file; of which provider or surgeon it is comes on top. */
export const exportInput = z.strictObject({
  /** Days on the practice's clock, both of them within; all that there are without. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  roomId: z.uuid().optional(),
  /** Those that have given their time back are left out unless they are asked for. */
  all: z.enum(['true', 'false'], 'Say true or false').default('false'),
})

const pageSize = 500

/** What stands beside a booking in its line. */
interface Beside {
  patient: string
  /** The provider or the surgeon. */
  person: string | null
  room: string | null
}

interface Definition<Input, Row> {
  name: string
  kind: 'appointment' | 'surgery'
  table: BookingTable & Record<'roomId' | 'status', AnyPgColumn>
  /** The column of the provider or the surgeon, and who of them is asked for. */
  person: AnyPgColumn
  personIn: (input: Input) => string | undefined
  input: z.ZodType<Input>
  holding: readonly string[]
  /** After date, time and minutes. */
  head: readonly string[]
  cellsOf: (row: Row, beside: Beside) => (string | null)[]
}

/** The bookings in their order as a file, a page at a time. */
export function defineBookingExport<Row extends BookingRow, Input extends z.output<typeof exportInput>>(
  definition: Definition<Input, Row>,
): ListExport<Input> {
  const { name, kind, table, person, personIn, holding, cellsOf } = definition
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
        input.all === 'true' ? undefined : inArray(table.status, [...holding]),
      )
      for (let after: SQL | undefined; ; ) {
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
          rows: rows.map(({ row, firstName, lastName, ...beside }) => {
            const { day, time } = toLocal(row.startsAt, zone)
            const minutes = Math.round((row.endsAt.getTime() - row.startsAt.getTime()) / 60_000)
            const cells = cellsOf(row, { patient: `${firstName} ${lastName}`.trim(), ...beside })
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
