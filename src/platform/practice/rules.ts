import { daysLater, toLocal } from '../../shared/zoned-time.ts'

export const roomKinds = ['consult', 'treatment', 'operating'] as const
export type RoomKind = (typeof roomKinds)[number]

/** Opening hours of a weekday, 1 (Monday) to 7, in the practice's time zone: 'HH:mm'. A missing day is closed. */
export type DayHours = { weekday: number; opens: string; closes: string }

/** The weekday of a calendar day 'yyyy-MM-dd', 1 (Monday) to 7. */
export function weekdayOf(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1, date)).getUTCDay() || 7
}

/** Whether the practice is open for the whole interval; both instants must lie on one day. */
export function isWithinHours(hours: readonly DayHours[], from: Date, to: Date, timeZone: string): boolean {
  const [begin, end] = [toLocal(from, timeZone), toLocal(to, timeZone)]
  const open = hours.find(({ weekday }) => weekday === weekdayOf(begin.day))
  return open !== undefined && begin.day === end.day && begin.time >= open.opens && end.time <= open.closes
}

/** The first open day after this one; the next day if all are closed. */
export function nextOpenDay(hours: readonly DayHours[], day: string): string {
  const coming = [1, 2, 3, 4, 5, 6, 7].map((days) => daysLater(day, days))
  return coming.find((next) => hours.some(({ weekday }) => weekday === weekdayOf(next))) ?? coming[0]!
}
