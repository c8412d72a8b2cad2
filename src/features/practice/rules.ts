import { daysLater, toLocal } from '../../shared/zoned-time.ts'

export const roomKinds = ['consult', 'treatment', 'operating'] as const
export type RoomKind = (typeof roomKinds)[number]

/** A GST/HST registration number as the CRA writes it: the nine digits of the business number, RT, and the number of the account. */
const hstNumber = /^(\d{9})RT(\d{4})$/

/** A GST/HST registration number as it is kept ('123456789 RT0001'), from what was typed; null when it cannot be one. */
export function toHstNumber(typed: string): string | null {
  const [, business, account] = hstNumber.exec(typed.replace(/[\s-]/g, '').toUpperCase()) ?? []
  return business && account ? `${business} RT${account}` : null
}

export const hstNumberMessage = 'Enter the HST number like 123456789 RT0001'

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
