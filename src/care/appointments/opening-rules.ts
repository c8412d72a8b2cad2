import { daysLater, toLocal } from '../../shared/zoned-time.ts'
import { type DayHours, weekdayOf } from '../../platform/practice/rules.ts'

/** Minutes of a day, from its midnight on the practice's clock. */
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

/** Which part of a day something takes up. */
export function spanOn(day: string, { startsAt, endsAt }: Period, timeZone: string): Span {
  const [begin, end] = [toLocal(startsAt, timeZone), toLocal(endsAt, timeZone)]
  return { from: begin.day < day ? 0 : minuteOf(begin.time), to: end.day > day ? 24 * 60 : minuteOf(end.time) }
}

interface Wanted {
  taken: readonly Span[]
  open: Span
  minutes: number
  /** The first minute that will do. */
  from: number
  most?: number
}

/** Minutes between the times that are proposed. */
const step = 15

/** The times at which something of this length fits in. */
export function freeStarts({ taken, open, minutes, from, most = Infinity }: Wanted): number[] {
  const free: number[] = []
  for (let start = Math.ceil(Math.max(open.from, from) / step) * step; start + minutes <= open.to && free.length < most; start += step) {
    if (!taken.some((span) => overlaps(span, { from: start, to: start + minutes }))) free.push(start)
  }
  return free
}

export interface DayOpenings {
  /** 'yyyy-MM-dd' */
  day: string
  /** The practice is closed all day. */
  isClosed: boolean
  /** When an appointment may begin, 'HH:mm'; none on a day that has passed. */
  times: string[]
}

interface OpeningsWanted {
  from: string
  days: number
  minutes: number
  hours: readonly DayHours[]
  /** What takes up the provider or the room. */
  taken: readonly Period[]
  now: Date
  timeZone: string
}

/** Day by day, when something of this length fits into the practice's hours beside what is taken, from now on. */
export function openingsOf({ from, days, minutes, hours, taken, now, timeZone }: OpeningsWanted): DayOpenings[] {
  const present = toLocal(now, timeZone)
  const held = taken.map((one) => ({ one, first: toLocal(one.startsAt, timeZone).day, last: toLocal(one.endsAt, timeZone).day }))
  return Array.from({ length: days }, (_, index) => {
    const day = daysLater(from, index)
    const open = hours.find(({ weekday }) => weekday === weekdayOf(day))
    if (!open || day < present.day) return { day, isClosed: !open, times: [] }
    const times = freeStarts({
      taken: held.filter(({ first, last }) => first <= day && day <= last).map(({ one }) => spanOn(day, one, timeZone)),
      open: { from: minuteOf(open.opens), to: minuteOf(open.closes) },
      minutes,
      from: day === present.day ? minuteOf(present.time) : 0,
    }).map(timeOf)
    return { day, isClosed: false, times }
  })
}
