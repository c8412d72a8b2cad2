import { type Clock, formatDateTime, formatTime, formatTimeOfDay } from '../../../../ui/format.ts'
import { minuteOf, timeOf } from '../../../appointments/opening-rules.ts'
import type { Entry } from './grid/entry.ts'

/** '10:15 – 11:00 a.m.', '11:30 a.m. – 12:15 p.m.' */
export function formatTimes(startsAt: string | Date, endsAt: string | Date, timeZone: string): string {
  const [from, to] = [formatTime(startsAt, timeZone), formatTime(endsAt, timeZone)]
  return `${from.slice(-4) === to.slice(-4) ? from.slice(0, -5) : from} – ${to}`
}

/** 'Thu, Nov 26, 10:15 – 11:00 a.m.' */
export function formatWhen({ startsAt, endsAt }: Pick<Entry, 'startsAt' | 'endsAt'>, clock: Clock): string {
  const day = formatDateTime(startsAt, clock).slice(0, -formatTime(startsAt, clock.timeZone).length)
  return `${day}${formatTimes(startsAt, endsAt, clock.timeZone)}`
}

/** '45 min', '1 h', '1 h 30 min' */
export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** 'Until 11:00 a.m.'; `time` is 'HH:mm'. */
export const formatEndTime = (time: string, minutes: number): string =>
  `Until ${formatTimeOfDay(timeOf((minuteOf(time) + minutes) % (24 * 60)))}`
