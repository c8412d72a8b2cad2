import { daysLater, instantOf, monthsLater, toLocal } from '../../shared/zoned-time.ts'

export const everies = ['day', 'week', 'month'] as const
/** The last day every month has. */
export const latestMonthDay = 28

/** Schedule of a saved report, in the practice's time zone. */
export interface When {
  every: (typeof everies)[number]
  /** For 'week': 1 (Monday) to 7. */
  weekday: number | null
  /** For 'month'. */
  monthDay: number | null
  /** HH:MM. */
  time: string
}

/** The first due time after `after`. A time skipped by daylight saving is an hour later; of a repeated time, the first counts. */
export function nextDue({ every, weekday, monthDay, time }: When, after: Date, timeZone: string): Date {
  const today = toLocal(after, timeZone).day
  const days = [0, 1, 2].map((ahead) => {
    if (every === 'day') return daysLater(today, ahead)
    if (every === 'week') return daysLater(today, (((weekday ?? 1) - weekdayOf(today) + 7) % 7) + 7 * ahead)
    return monthsLater(`${today.slice(0, 8)}${String(monthDay ?? 1).padStart(2, '0')}`, ahead)
  })
  const due = days.map((day) => instantOf({ day, time }, timeZone)).find((instant) => instant > after)
  if (!due) throw new Error(`Nothing is due after ${after.toISOString()}`)
  return due
}

/** 1 (Monday) to 7. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
