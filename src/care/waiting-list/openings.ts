import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt, daysFrom, daysLater, type LocalMoment, toLocal } from '../../shared/zoned-time.ts'
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

/** A start in minutes since 1970, and as the practice's clock shows it. */
export interface OpenStart {
  minute: number
  local: LocalMoment
}

/** The starts at which a visit is possible on some days from now on, in order. */
export async function openStarts(
  db: Db,
  { env, now }: Scope,
  type: OfferedVisit,
  { providerId, fromDay, toDay }: Wanted,
): Promise<OpenStart[]> {
  const zone = env.PRACTICE_TIME_ZONE
  const today = dayAt(now(), zone)
  const from = fromDay > today ? fromDay : today
  const last = [toDay, daysLater(today, maxDays)].toSorted()[0]!
  const days = Math.max(0, daysFrom(from, last) + 1)
  const minutes = await searchDays({ db, env, now }, visitNeeds(type, { minutes: type.minutes, providerId }), from, days)
  return minutes.map((minute) => ({ minute, local: toLocal(toDate(minute), zone) }))
}

/** Those of these starts that suit a patient, in minutes since 1970. */
export const suitingStarts = (starts: readonly OpenStart[], wanted: SuitableTimes): number[] =>
  starts.filter(({ local }) => suits(wanted, local)).map(({ minute }) => minute)

/** What an entry remembers of the openings: the first that suits, and all, which are not offered automatically. */
export const remembered = (starts: readonly number[]) => ({
  openAt: starts[0] === undefined ? null : toDate(starts[0]),
  alreadyOpen: [...starts],
})
