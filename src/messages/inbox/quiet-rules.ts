import { daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'

/** 'HH:mm' on the patient's clock. `from` later than `to`: over midnight. Equal: none. */
export type QuietHours = { from: string; to: string }

/** Whether a time of day lies in the quiet hours; `to` itself does not. */
export const isQuietTime = (time: string, { from, to }: QuietHours): boolean =>
  from <= to ? time >= from && time < to : time >= from || time < to

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The earliest moment from this one on that is not in the quiet hours of a time zone, across changes of the clock too. */
export function afterQuietHours(at: Date, timeZone: string, hours: QuietHours): Date {
  const { day, time } = toLocal(at, timeZone)
  if (!isQuietTime(time, hours)) return at
  const endsToday = time < hours.to
  const end = instantOf({ day: endsToday ? day : daysLater(day, 1), time: hours.to }, timeZone)
  if (end > at) return end
  // In autumn the clock shows the end twice, and this is after the first one: the second counts.
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000 + (minutesOf(hours.to) - minutesOf(time)) * 60_000)
}
