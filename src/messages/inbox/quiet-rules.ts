import { clockChangeBetween, toLocal } from '../../shared/zoned-time.ts'

/** 'HH:mm' on the patient's clock. `from` later than `to`: over midnight. Equal: none. */
export type QuietHours = { from: string; to: string }

/** Whether a time of day lies in the quiet hours; `to` itself does not. */
export const isQuietTime = (time: string, { from, to }: QuietHours): boolean =>
  from <= to ? time >= from && time < to : time >= from || time < to

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The earliest moment from this one on that is not in the quiet hours of a time zone, across changes of the clock too. */
export function afterQuietHours(at: Date, timeZone: string, hours: QuietHours): Date {
  const { time } = toLocal(at, timeZone)
  if (!isQuietTime(time, hours)) return at
  const minutesLeft = (minutesOf(hours.to) - minutesOf(time) + 1_440) % 1_440
  const end = new Date(Math.floor(at.getTime() / 60_000) * 60_000 + minutesLeft * 60_000)
  // A change of the clock may skip the end, pass it, or show it twice: look again from there.
  return afterQuietHours(clockChangeBetween(at, end, timeZone) ?? end, timeZone, hours)
}
