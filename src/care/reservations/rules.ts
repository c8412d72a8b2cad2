import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'

/** A booking as a sentence names it. */
export interface NamedBooking {
  startsAt: Date
  /** What they are called. */
  provider: string | null
  room: string | null
}

/** '10:00 a.m.' */
export function formatClockTime(instant: Date, timeZone: string): string {
  const date = new TZDate(instant.getTime(), timeZone)
  return `${format(date, 'h:mm')} ${date.getHours() < 12 ? 'a.m.' : 'p.m.'}`
}

/** 'Tue, Dec 1, 2026' */
export const formatSpokenDay = (instant: Date, timeZone: string): string =>
  format(new TZDate(instant.getTime(), timeZone), 'EEE, MMM d, yyyy')

/** 'Tue, Dec 1, 2026 at 10:00 a.m.' */
export const formatMoment = (instant: Date, timeZone: string): string =>
  `${formatSpokenDay(instant, timeZone)} at ${formatClockTime(instant, timeZone)}`

/** ' with Dr. Okafor in Consult room 1'; '' where there is neither. */
export const formatPlace = ({ provider, room }: NamedBooking): string =>
  `${provider ? ` with ${provider}` : ''}${room ? ` in ${room}` : ''}`

/**
 * What a timeline says of a booking's change; null where nothing changed that anyone comes earlier, later or elsewhere for. `what`: what it is
 * called now. `became`: the words for what else it has become, which say less than another time and more than another place; null: nothing.
 */
export function describeBookingChange(
  before: NamedBooking,
  after: NamedBooking,
  { what, became, nowhere }: { what: string; became: ((at: string) => string) | null; nowhere: string },
  timeZone: string,
): string | null {
  const at = formatMoment(after.startsAt, timeZone)
  const place = formatPlace(after)
  if (before.startsAt.getTime() !== after.startsAt.getTime())
    return `${what} moved from ${formatMoment(before.startsAt, timeZone)} to ${at}${place}`
  if (became) return became(at)
  return formatPlace(before) === place ? null : `${what} on ${at} is now${place || nowhere}`
}
