import { toLocal } from '../../shared/zoned-time.ts'

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
  /** No one who is asked for works on this day. */
  isClosed: boolean
  /** Possible starts, 'HH:mm'; none on a past day. */
  times: string[]
}
