import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt, daysFrom } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { type OfferedVisit, searchDays, visitNeeds } from '../availability/service.ts'
import { suits, type SuitableTimes } from './rules.ts'

interface Wanted {
  /** Null: anyone who does the visit. */
  providerId: string | null
  toDay: string
}

/** The starts at which a visit is possible from now until the last day, in order, in minutes since 1970. */
export function openStarts(db: Db, { env, now }: Scope, type: OfferedVisit, { providerId, toDay }: Wanted): Promise<number[]> {
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  return searchDays(
    { db, env, now },
    visitNeeds(type, { minutes: type.minutes, providerId }),
    today,
    Math.max(0, daysFrom(today, toDay) + 1),
  )
}

/** Those of these starts that suit a patient. */
export const suitingStarts = (starts: readonly number[], wanted: SuitableTimes, timeZone: string): number[] =>
  starts.filter((start) => suits(wanted, toDate(start), timeZone))

/** What an entry remembers of the openings: the first that suits, and all, which are not offered automatically. */
export const remembered = (starts: readonly number[]) => ({
  openAt: starts[0] === undefined ? null : toDate(starts[0]),
  alreadyOpen: [...starts],
})
