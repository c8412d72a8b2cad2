import { daysLater } from '../../shared/zoned-time.ts'
import { sourceGroup } from '../../crm/lead-sources/rules.ts'
import type { Conversion, SourceCount } from './contract.ts'

/** Spec 9: the windows, in days. Both consist of whole days in the practice's time zone, including today. */
const week = 7
export const month = 30
/** Spec 9. */
export const maxActivity = 20

/** Start of the compared periods, and the day after their end. */
export interface Periods {
  week: string
  weekBefore: string
  month: string
  monthBefore: string
  end: string
}

export const periodsUntil = (today: string): Periods => ({
  week: daysLater(today, 1 - week),
  weekBefore: daysLater(today, 1 - 2 * week),
  month: daysLater(today, 1 - month),
  monthBefore: daysLater(today, 1 - 2 * month),
  end: daysLater(today, 1),
})

/** Spec 9: share of leads that booked surgery, in whole percent; 0 without leads. */
export function conversionOf(total: number, booked: number): Conversion {
  return { total, booked, rate: total === 0 ? 0 : Math.round((booked / total) * 100) }
}

/** A source as recorded, and its number of contacts. */
export interface RawSourceCount {
  source: string | null
  count: number
}

/** Display groups (spec 9), largest first. */
export function groupSources(counts: readonly RawSourceCount[]): SourceCount[] {
  const groups = new Map<string, number>()
  for (const { source, count } of counts) groups.set(sourceGroup(source), (groups.get(sourceGroup(source)) ?? 0) + count)
  return [...groups]
    .map(([group, count]) => ({ group, count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.group.localeCompare(b.group))
}
