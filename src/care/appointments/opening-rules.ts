import { daysLater, toLocal } from '../../shared/zoned-time.ts'
import { type DayHours, weekdayOf } from '../../platform/practice/rules.ts'

/** Minutes since local midnight. */
export interface Span {
  from: number
  to: number
}

export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

interface Period {
  startsAt: Date | string
  endsAt: Date | string
}

/** The part of a day that a period covers. */
export function spanOn(day: string, { startsAt, endsAt }: Period, timeZone: string): Span {
  const [begin, end] = [toLocal(startsAt, timeZone), toLocal(endsAt, timeZone)]
  return { from: begin.day < day ? 0 : minuteOf(begin.time), to: end.day > day ? 24 * 60 : minuteOf(end.time) }
}

interface Wanted {
  taken: readonly Span[]
  open: Span
  minutes: number
  /** The earliest start. */
  from: number
  limit?: number
}

/** Minutes between offered starts. */
const step = 15

/** Starts at which a booking of this duration fits. */
export function freeStarts({ taken, open, minutes, from, limit = Infinity }: Wanted): number[] {
  const free: number[] = []
  for (let start = Math.ceil(Math.max(open.from, from) / step) * step; start + minutes <= open.to && free.length < limit; start += step) {
    if (!taken.some((span) => overlaps(span, { from: start, to: start + minutes }))) free.push(start)
  }
  return free
}

export interface DayOpenings {
  /** 'yyyy-MM-dd' */
  day: string
  /** The practice is closed all day. */
  isClosed: boolean
  /** Possible starts, 'HH:mm'; none on a past day. */
  times: string[]
}

interface OpeningsWanted {
  from: string
  days: number
  minutes: number
  hours: readonly DayHours[]
  /** Times at which the provider or the room is booked. */
  taken: readonly Period[]
  now: Date
  timeZone: string
}

/** Free starts from now on, day by day, within the practice's hours. */
export function openingsOf({ from, days, minutes, hours, taken, now, timeZone }: OpeningsWanted): DayOpenings[] {
  const localNow = toLocal(now, timeZone)
  const bookedDays = taken.map((one) => ({ one, first: toLocal(one.startsAt, timeZone).day, last: toLocal(one.endsAt, timeZone).day }))
  return Array.from({ length: days }, (_, index) => {
    const day = daysLater(from, index)
    const open = hours.find(({ weekday }) => weekday === weekdayOf(day))
    if (!open || day < localNow.day) return { day, isClosed: !open, times: [] }
    const times = freeStarts({
      taken: bookedDays.filter(({ first, last }) => first <= day && day <= last).map(({ one }) => spanOn(day, one, timeZone)),
      open: { from: minuteOf(open.opens), to: minuteOf(open.closes) },
      minutes,
      from: day === localNow.day ? minuteOf(localNow.time) : 0,
    }).map(timeOf)
    return { day, isClosed: false, times }
  })
}
