import { formatLongDay, formatWeekday, type Language } from '../../shared/translations.ts'
import { dayParts } from '../appointments/link-rules.ts'
import type { SuitableTimes } from './rules.ts'
import { offerTexts } from './texts.ts'

/** What a patient waits for, beside the visit. */
export interface Wish extends Omit<SuitableTimes, 'fromDay'> {
  /** Null: anyone who does the visit. */
  provider: string | null
  /** Null unless it is still to come. */
  fromDay: string | null
}

/** The times of a wish. `today`: on the practice's calendar. */
export const timesOfWish = ({ weekdays, dayParts: parts, fromDay, toDay }: SuitableTimes, today: string) => ({
  weekdays: [...weekdays],
  dayParts: [...parts],
  fromDay: fromDay > today ? fromDay : null,
  toDay,
})

/** A wish as the patient reads it: ['With Dr. Okafor', 'Monday, Thursday', 'Mornings', 'Until December 31, 2026']. */
export function describeWish({ provider, weekdays, dayParts: parts, fromDay, toDay }: Wish, language: Language): string[] {
  const t = offerTexts[language]
  const days = weekdays.toSorted((a, b) => a - b).map((day) => formatWeekday(day, language))
  const times = dayParts.filter((part) => parts.includes(part)).map((part) => t(`times.dayParts.${part}`))
  return [
    ...(provider === null ? [] : [t('withProvider', { provider })]),
    isAny(days, 7) ? t('times.anyDay') : upperFirst(days.join(', ')),
    isAny(times, dayParts.length) ? t('times.anyTime') : upperFirst(times.join(', ').toLowerCase()),
    describeDays(fromDay, toDay, language),
  ]
}

/** None chosen means any, as all of them do. */
const isAny = (chosen: readonly string[], all: number): boolean => chosen.length === 0 || chosen.length === all

function describeDays(fromDay: string | null, toDay: string, language: Language): string {
  const t = offerTexts[language]
  const to = formatLongDay(toDay, language)
  if (fromDay === null) return t('times.until', { to })
  return fromDay === toDay ? t('times.on', { day: to }) : t('times.between', { from: formatLongDay(fromDay, language), to })
}

/** French names of days are not capitalised. */
const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
