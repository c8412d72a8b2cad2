import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'

/** A booking with the names that a sentence needs. */
export interface NamedBooking {
  startsAt: Date
  /** Names, not ids. */
  provider: string | null
  room: string | null
}

/** '10:00 a.m.' */
function formatClockTime(instant: Date, timeZone: string): string {
  const date = new TZDate(instant.getTime(), timeZone)
  return `${format(date, 'h:mm')} ${date.getHours() < 12 ? 'a.m.' : 'p.m.'}`
}

/** 'Tue, Dec 1, 2026' */
export const formatSpokenDay = (instant: Date, timeZone: string): string =>
  format(new TZDate(instant.getTime(), timeZone), 'EEE, MMM d, yyyy')

/** 'Tue, Dec 1, 2026 at 10:00 a.m.' */
export const formatMoment = (instant: Date, timeZone: string): string =>
  `${formatSpokenDay(instant, timeZone)} at ${formatClockTime(instant, timeZone)}`

/** ' with Dr. Okafor in Consult room 1'; '' without both. */
export const formatPlace = ({ provider, room }: NamedBooking): string =>
  `${provider ? ` with ${provider}` : ''}${room ? ` in ${room}` : ''}`

/**
 * The timeline entry of a change; null if there is nothing to report. A new time takes precedence over a new type (`typeChange`), which
 * takes precedence over a new place. `what`: the current name of the booking.
 */
export function describeBookingChange(
  before: NamedBooking,
  after: NamedBooking,
  { what, typeChange, withoutPlace }: { what: string; typeChange: ((at: string) => string) | null; withoutPlace: string },
  timeZone: string,
): string | null {
  const at = formatMoment(after.startsAt, timeZone)
  const place = formatPlace(after)
  if (before.startsAt.getTime() !== after.startsAt.getTime())
    return `${what} moved from ${formatMoment(before.startsAt, timeZone)} to ${at}${place}`
  if (typeChange) return typeChange(at)
  return formatPlace(before) === place ? null : `${what} on ${at} is now${place || withoutPlace}`
}
