import { daysLater } from '../../shared/zoned-time.ts'
import { sourceGroup } from '../../crm/lead-sources/rules.ts'
import type { Conversion, SourceCount } from './contract.ts'

/** Spec 9: the windows, in days. Both are of whole days of the practice, today among them. */
const week = 7
export const month = 30
/** Spec 9. */
export const maxActivity = 20

/** The first days of the periods that are compared, and the day after their end. */
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

/** Spec 9: the part of the leads that booked surgery, in whole percent; 0 when there are none. */
export function conversionOf(total: number, booked: number): Conversion {
  return { total, booked, rate: total === 0 ? 0 : Math.round((booked / total) * 100) }
}

/** What was said of a source, and of how many contacts. */
export interface SaidCount {
  said: string | null
  count: number
}

/** The display groups of spec 9, the largest first. */
export function groupSources(said: readonly SaidCount[]): SourceCount[] {
  const groups = new Map<string, number>()
  for (const { said: source, count } of said) groups.set(sourceGroup(source), (groups.get(sourceGroup(source)) ?? 0) + count)
  return [...groups]
    .map(([group, count]) => ({ group, count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.group.localeCompare(b.group))
}
