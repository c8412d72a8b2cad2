import { sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf, dayAt, daysLater } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { blockingStatuses as blockingAppointments } from '../appointments/rules.ts'
import { appointments } from '../appointments/table.ts'
import { blockingStatuses as blockingSurgeries } from '../surgeries/rules.ts'
import { surgeries } from '../surgeries/table.ts'

type Namesake = { id: string; dateOfBirth: string | null }

interface Booked {
  startsAt: Date
  contact: { id: string }
}
type WithNamesakes<Row extends Booked> = Row & { contact: Row['contact'] & { namesakes: Namesake[] } }

/** Names are the same whatever their case, accents, spaces and punctuation. The stored sort name is folded already. */
const nameKey = sql`regexp_replace(${contacts.sortName}, '[^[:alnum:]]+' collate pg_c_utf8, '', 'g')`

/**
 * Adds to the patient of each booking the other patients with the same name who have an appointment or a surgery on the same day, whatever
 * the list is filtered by. One query for all bookings, which reads the days that they are on.
 */
export async function withNamesakes<Row extends Booked>(
  db: Db,
  { PRACTICE_TIME_ZONE: zone }: Pick<Scope['env'], 'PRACTICE_TIME_ZONE'>,
  rows: readonly Row[],
): Promise<WithNamesakes<Row>[]> {
  if (rows.length === 0) return []
  const days = [...new Set(rows.map(({ startsAt }) => dayAt(startsAt, zone)))]
  const starts = days.map((day) => beginningOf(day, zone).toISOString())
  const ends = days.map((day) => beginningOf(daysLater(day, 1), zone).toISOString())
  const bookedIn = (table: typeof appointments | typeof surgeries, statuses: readonly string[]) => sql`
    select day, contact_id from days join ${table} on starts_at >= begins and starts_at < ends
    where status = any(${sql.param([...statuses])}::text[])`
  const { rows: found } = await db.execute<Namesake & { day: string; contactId: string }>(sql`
    with days as (
      select * from unnest(${sql.param(days)}::text[], ${sql.param(starts)}::timestamptz[], ${sql.param(ends)}::timestamptz[]) as one (day, begins, ends)
    ), booked as (
      ${bookedIn(appointments, blockingAppointments)} union ${bookedIn(surgeries, blockingSurgeries)}
    ), people as (
      select day, contacts.id, date_of_birth::text as date_of_birth, ${nameKey} as name from booked join contacts on contacts.id = contact_id
    )
    select mine.day, mine.id as "contactId", other.id, other.date_of_birth as "dateOfBirth"
    from people as mine join people as other on other.day = mine.day and other.name = mine.name and other.id <> mine.id
    where mine.name <> '' order by other.id`)
  const byPatient = Map.groupBy(found, ({ day, contactId }) => `${day} ${contactId}`)
  return rows.map((row) => {
    const namesakes = byPatient.get(`${dayAt(row.startsAt, zone)} ${row.contact.id}`) ?? []
    return { ...row, contact: { ...row.contact, namesakes: namesakes.map(({ id, dateOfBirth }) => ({ id, dateOfBirth })) } }
  })
}
