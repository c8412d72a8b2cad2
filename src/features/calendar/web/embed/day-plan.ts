import { toLocal } from '../../../../shared/zoned-time.ts'
import type { Entry } from './entry.ts'

/** Minutes of a day, from its midnight on the practice's clock. */
export interface Span {
  from: number
  to: number
}

export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

/** Which part of a day something takes up. */
export function spanOn(day: string, { startsAt, endsAt }: Pick<Entry, 'startsAt' | 'endsAt'>, timeZone: string): Span {
  const [begin, end] = [toLocal(startsAt, timeZone), toLocal(endsAt, timeZone)]
  return { from: begin.day < day ? 0 : minuteOf(begin.time), to: end.day > day ? 24 * 60 : minuteOf(end.time) }
}

interface Wanted {
  taken: readonly Span[]
  open: Span
  minutes: number
  /** The first minute that will do. */
  from: number
  most: number
}

/** Minutes between the times that are proposed. */
const step = 15

/** The next times at which something of this length fits in. */
export function freeStarts({ taken, open, minutes, from, most }: Wanted): number[] {
  const free: number[] = []
  for (let start = Math.ceil(Math.max(open.from, from) / step) * step; start + minutes <= open.to && free.length < most; start += step) {
    if (!taken.some((span) => overlaps(span, { from: start, to: start + minutes }))) free.push(start)
  }
  return free
}
