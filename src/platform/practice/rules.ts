import { daysLater, toLocal } from '../../shared/zoned-time.ts'

export const roomKinds = ['consult', 'treatment', 'operating'] as const
export type RoomKind = (typeof roomKinds)[number]

/** When the practice is open on one day of the week, 1 (Monday) to 7, on its own clock: 'HH:mm'. A day that is missing is closed. */
export type DayHours = { weekday: number; opens: string; closes: string }

/** The weekday of a calendar day 'yyyy-MM-dd', 1 (Monday) to 7. */
export function weekdayOf(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1, date)).getUTCDay() || 7
}

/** Whether the practice is open from the first instant to the second; both have to lie on one day. */
export function isWithinHours(hours: readonly DayHours[], from: Date, to: Date, timeZone: string): boolean {
  const [begin, end] = [toLocal(from, timeZone), toLocal(to, timeZone)]
  const open = hours.find(({ weekday }) => weekday === weekdayOf(begin.day))
  return open !== undefined && begin.day === end.day && begin.time >= open.opens && end.time <= open.closes
}

/** The first day after this one on which the practice is open; the next day where it never is. */
export function nextOpenDay(hours: readonly DayHours[], day: string): string {
  const coming = [1, 2, 3, 4, 5, 6, 7].map((days) => daysLater(day, days))
  return coming.find((next) => hours.some(({ weekday }) => weekday === weekdayOf(next))) ?? coming[0]!
}
