import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { InstantPlace } from '../../shared/page-lists.ts'

/** An instant for a cursor: in UTC with microseconds. A Date only has milliseconds, so rows within one millisecond would be skipped. */
export const exactInstant = (at: SQLWrapper): SQL<string> => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const values = ({ at, id }: InstantPlace): SQL => sql`(${at}::timestamptz, ${id}::uuid)`

/** The rows after a cursor position in a list ordered by instant and id, newest first; all rows without a position. */
export const isOlderThan = (place: InstantPlace | undefined, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place && sql`(${at}, ${id}) < ${values(place)}`

/** The same in a list ordered oldest first. */
export const isNewerThan = (place: InstantPlace | undefined, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place && sql`(${at}, ${id}) > ${values(place)}`
