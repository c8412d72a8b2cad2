import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { InstantPlace } from '../../shared/page-lists.ts'

/** An instant as a cursor keeps it: to the microsecond, in UTC. A Date ends at the millisecond, and rows of one millisecond must not lose each other. */
export const exactInstant = (at: SQLWrapper): SQL<string> => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const values = ({ at, id }: InstantPlace): SQL => sql`(${at}::timestamptz, ${id}::uuid)`

/** The rows that come after a place in a list ordered by instant and id, newest first; all of them without a place. */
export const isOlderThan = (place: InstantPlace | undefined, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place && sql`(${at}, ${id}) < ${values(place)}`

/** The same in a list that is oldest first. */
export const isNewerThan = (place: InstantPlace | undefined, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place && sql`(${at}, ${id}) > ${values(place)}`
