import { daysLater } from '../../shared/zoned-time.ts'

export const roomKinds = ['consult', 'treatment', 'operating'] as const
export type RoomKind = (typeof roomKinds)[number]

/** Opening hours of a weekday, 1 (Monday) to 7, in the practice's time zone: 'HH:mm'. A missing day is closed. */
export type DayHours = { weekday: number; opens: string; closes: string }

/** The weekday of a calendar day 'yyyy-MM-dd', 1 (Monday) to 7. */
export function weekdayOf(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1, date)).getUTCDay() || 7
}

/** The first open day after this one; the next day if all are closed. */
export function nextOpenDay(hours: readonly DayHours[], day: string): string {
  const coming = [1, 2, 3, 4, 5, 6, 7].map((days) => daysLater(day, days))
  return coming.find((next) => hours.some(({ weekday }) => weekday === weekdayOf(next))) ?? coming[0]!
}
