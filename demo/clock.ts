import { TZDate } from '@date-fns/tz'
import type { Random } from './random.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The clinic's time zone. */
export const zone = 'America/Toronto'
/** Minutes since midnight between which staff work and log what they do. */
const [opens, closes] = [8 * 60 + 30, 17 * 60 + 40]

/** Converts instants in milliseconds to the clinic's calendar and time of day. */
export type Clock = {
  now: number
  /** Calendar days since 1970 at the clinic. */
  dayOf: (instant: number) => number
  /** Minutes since midnight at the clinic. */
  minuteOf: (instant: number) => number
  isOpen: (instant: number) => boolean
  /** The instant itself if the clinic is open then, otherwise a time in the morning of its next working day. */
  openTime: (instant: number, random: Random) => number
  /** The instant of a time of day (in minutes) on a calendar day. */
  at: (dayNumber: number, minutes: number) => number
}

/** Monday to Friday, except New Year's Day, Canada Day, Christmas Day and Boxing Day. */
export function isWorkday(dayNumber: number): boolean {
  const weekday = (dayNumber + 4) % 7
  if (weekday === 0 || weekday === 6) return false
  const date = new Date(dayNumber * day)
  return !holidays.has(date.getUTCMonth() * 100 + date.getUTCDate())
}
const holidays = new Set([1, 601, 1125, 1126])

/** The calendar day itself if it is a working day, otherwise the next one. */
export function workday(dayNumber: number): number {
  let result = dayNumber
  while (!isWorkday(result)) result++
  return result
}

export function workdayBefore(dayNumber: number): number {
  let result = dayNumber - 1
  while (!isWorkday(result)) result--
  return result
}

/** 'YYYY-MM-DD' */
export const isoDay = (dayNumber: number): string => new Date(dayNumber * day).toISOString().slice(0, 10)

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
export const weekdayName = (dayNumber: number): string => weekdays[(dayNumber + 4) % 7]!
export const monthName = (dayNumber: number): string => months[new Date(dayNumber * day).getUTCMonth()]!
/** 'March 4' */
export const spokenDay = (dayNumber: number): string => `${monthName(dayNumber)} ${new Date(dayNumber * day).getUTCDate()}`

/** '10:15 a.m.' */
export function spokenTime(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${hours % 12 || 12}:${String(rest).padStart(2, '0')} ${hours < 12 ? 'a.m.' : 'p.m.'}`
}

/** 'HH:MM' */
export const timeOfDay = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

export function createClock(now: number): Clock {
  const offsets = offsetsBetween(now - 600 * day, now + 400 * day)
  const offsetAt = (instant: number) => {
    let i = offsets.length - 1
    while (i > 0 && offsets[i]!.from > instant) i--
    return offsets[i]!.offset
  }
  const local = (instant: number) => instant + offsetAt(instant)
  const dayOf = (instant: number) => Math.floor(local(instant) / day)
  const minuteOf = (instant: number) => Math.floor((local(instant) % day) / minute)
  const isOpen = (instant: number) => isWorkday(dayOf(instant)) && minuteOf(instant) >= opens && minuteOf(instant) < closes
  const at = (dayNumber: number, minutes: number) => {
    const wall = dayNumber * day + minutes * minute
    return wall - offsetAt(wall - offsetAt(wall))
  }
  const openTime = (instant: number, random: Random) => {
    if (isOpen(instant)) return instant
    const today = dayOf(instant)
    const next = workday(minuteOf(instant) < opens ? today : today + 1)
    return at(next, opens) + random.int(0, 150 * minute)
  }
  return { now, dayOf, minuteOf, isOpen, openTime, at }
}

/** The zone's UTC offsets, each with the instant from which it applies. They change twice a year. */
function offsetsBetween(from: number, to: number): { from: number; offset: number }[] {
  const offsetAt = (instant: number) => -new TZDate(instant, zone).getTimezoneOffset() * minute
  const found = [{ from, offset: offsetAt(from) }]
  for (let instant = from; instant < to; instant += day) {
    if (offsetAt(instant + day) === found.at(-1)!.offset) continue
    let [before, after] = [instant, instant + day]
    while (after - before > minute) {
      const middle = Math.floor((before + after) / 2 / minute) * minute
      if (middle === before) break
      if (offsetAt(middle) === found.at(-1)!.offset) before = middle
      else after = middle
    }
    found.push({ from: after, offset: offsetAt(after) })
  }
  return found
}
