import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt, daysFrom, daysLater } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { type OfferedVisit, searchDays, visitNeeds } from '../availability/service.ts'
import { suits, type SuitableTimes } from './rules.ts'

interface Wanted {
  /** Null: anyone who does the visit. */
  providerId: string | null
  fromDay: string
  toDay: string
}

/** No openings are searched further ahead. */
const maxDays = 366

/** The starts at which a visit is possible on some days from now on, in order, in minutes since 1970. */
export function openStarts(db: Db, { env, now }: Scope, type: OfferedVisit, { providerId, fromDay, toDay }: Wanted): Promise<number[]> {
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const from = fromDay > today ? fromDay : today
  const last = [toDay, daysLater(today, maxDays)].toSorted()[0]!
  const days = Math.max(0, daysFrom(from, last) + 1)
  return searchDays({ db, env, now }, visitNeeds(type, { minutes: type.minutes, providerId }), from, days)
}

/** Those of these starts that suit a patient. */
export const suitingStarts = (starts: readonly number[], wanted: SuitableTimes, timeZone: string): number[] =>
  starts.filter((start) => suits(wanted, toDate(start), timeZone))

/** What an entry remembers of the openings: the first that suits, and all, which are not offered automatically. */
export const remembered = (starts: readonly number[]) => ({
  openAt: starts[0] === undefined ? null : toDate(starts[0]),
  alreadyOpen: [...starts],
})
