import { formatLongDay, formatWeekday, type Language } from '../../shared/translations.ts'
import { dayParts } from '../appointments/link-rules.ts'
import type { SuitableTimes } from './rules.ts'
import { offerTexts } from './texts.ts'

/** What a patient reads: `fromDay` is null unless it is still to come. */
export type ShownTimes = Omit<SuitableTimes, 'fromDay'> & { fromDay: string | null }

export const shownTimes = ({ weekdays, dayParts: parts, fromDay, toDay }: SuitableTimes, today: string) => ({
  weekdays: [...weekdays],
  dayParts: [...parts],
  fromDay: fromDay > today ? fromDay : null,
  toDay,
})

/** When a visit suits a patient, as they read it: ['Monday, Thursday', 'Mornings', 'Until December 31, 2026']. */
export function suitableTimes({ weekdays, dayParts: parts, fromDay, toDay }: ShownTimes, language: Language): string[] {
  const t = offerTexts[language]
  const days = weekdays.toSorted((a, b) => a - b).map((day) => formatWeekday(day, language))
  const times = dayParts.filter((part) => parts.includes(part)).map((part) => t(`times.dayParts.${part}`))
  const until = formatLongDay(toDay, language)
  return [
    upperFirst(days.join(', ')) || t('times.anyDay'),
    upperFirst(times.join(', ').toLowerCase()) || t('times.anyTime'),
    fromDay === null ? t('times.until', { until }) : t('times.between', { from: formatLongDay(fromDay, language), until }),
  ]
}

/** French names of days are not capitalised. */
const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
