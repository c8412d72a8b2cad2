import { tzOffset } from '@date-fns/tz/tzOffset'

/** A local date and time as typed: 'yyyy-MM-dd' and 'HH:mm' in a time zone. */
export interface LocalMoment {
  day: string
  time: string
}

const minute = 60_000
const day = 24 * 60 * minute

/** What a clock in the time zone shows at an instant: read it with the getUTC methods or as ISO 8601. An invalid date for an invalid instant. */
export const wallClock = (instant: Date | number, timeZone: string): Date =>
  new Date(instant.valueOf() + tzOffset(timeZone, new Date(instant)) * minute)

/**
 * The instant of a local time in a time zone. A time that the clock skips in spring becomes later by what it skips; of a time that occurs twice
 * in autumn, the first is used.
 */
export function instantOf({ day: date, time }: LocalMoment, timeZone: string): Date {
  const [year, month, dayOfMonth] = date.split('-').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  const local = Date.UTC(year ?? 0, (month ?? 1) - 1, dayOfMonth ?? 1, hours ?? 0, minutes ?? 0)
  const offsetAt = (ms: number) => tzOffset(timeZone, new Date(ms)) * minute
  // The offsets before and after a change of the clock near that time. For a skipped time, the one before counts.
  const [before, after] = [offsetAt(local - day), offsetAt(local + day)]
  const isAfter = offsetAt(local - before) !== before && offsetAt(local - after) === after
  return new Date(local - (isAfter ? after : before))
}

/** The same, as ISO 8601. */
export const toInstant = (moment: LocalMoment, timeZone: string): string => instantOf(moment, timeZone).toISOString()

/** The local date and time at an instant. */
export function toLocal(instant: Date | string, timeZone: string): LocalMoment {
  const local = wallClock(new Date(instant), timeZone).toISOString()
  return { day: local.slice(0, 10), time: local.slice(11, 16) }
}

/** The first minute after a change of the clock between two instants that are at most a day apart; undefined if there is none. */
export function clockChangeBetween(from: Date, to: Date, timeZone: string): Date | undefined {
  const offsetAt = (minutes: number) => tzOffset(timeZone, new Date(minutes * minute))
  let [before, after] = [Math.floor(from.getTime() / minute), Math.floor(to.getTime() / minute)]
  if (offsetAt(before) === offsetAt(after)) return undefined
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offsetAt(before)) before = middle
    else after = middle
  }
  return new Date(after * minute)
}

/** The calendar day at an instant, in a time zone. */
export const dayAt = (instant: Date, timeZone: string): string => toLocal(instant, timeZone).day

/** The instant at which a day begins in a time zone, including days with a clock change. */
export const beginningOf = (date: string, timeZone: string): Date => instantOf({ day: date, time: '00:00' }, timeZone)

/** A calendar day, 'yyyy-MM-dd', at midnight UTC; an invalid date for anything else. */
export function parseDay(date: string): Date {
  const parsed = new Date(`${date}T00:00:00Z`)
  // An engine may read the 30th of February as a day in March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) !== date ? new Date(Number.NaN) : parsed
}

/** Calendar days from one day to another. */
export const daysFrom = (from: string, to: string): number => (parseDay(to).getTime() - parseDay(from).getTime()) / day

export function daysLater(date: string, days: number): string {
  const later = parseDay(date)
  later.setUTCDate(later.getUTCDate() + days)
  return later.toISOString().slice(0, 10)
}

/** The same day of a later month, or the last one of a month that has no such day. */
export function monthsLater(date: string, months: number): string {
  const start = parseDay(date)
  const later = new Date(start)
  // The last day of the month.
  later.setUTCMonth(later.getUTCMonth() + months + 1, 0)
  later.setUTCDate(Math.min(start.getUTCDate(), later.getUTCDate()))
  return later.toISOString().slice(0, 10)
}

/** The completed years of someone born on a day, on another one. Born on February 29, they are a year older on March 1 of other years. */
export const ageOn = (birthDate: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (day.slice(5) < birthDate.slice(5) ? 1 : 0)
