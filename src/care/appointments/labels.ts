import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { type AppointmentStatus, type AppointmentType, typeNames } from './rules.ts'

/** An appointment as a sentence names it. */
export interface Named {
  type: AppointmentType
  startsAt: Date
  /** What they are called. */
  provider: string | null
  room: string | null
}

/** '10:00 a.m.' */
export function formatAppointmentTime(instant: Date, timeZone: string): string {
  const date = new TZDate(instant.getTime(), timeZone)
  return `${format(date, 'h:mm')} ${date.getHours() < 12 ? 'a.m.' : 'p.m.'}`
}

/** 'Tue, Dec 1, 2026 at 10:00 a.m.' */
export const spokenMoment = (instant: Date, timeZone: string): string =>
  `${format(new TZDate(instant.getTime(), timeZone), "EEE, MMM d, yyyy 'at'")} ${formatAppointmentTime(instant, timeZone)}`

const by = ({ provider, room }: Named): string => `${provider ? ` with ${provider}` : ''}${room ? ` in ${room}` : ''}`

/** What the timeline says of a new appointment: 'Consultation booked for Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor in Consult room 1'. */
export const describeBooking = (one: Named, timeZone: string): string =>
  `${typeNames[one.type]} booked for ${spokenMoment(one.startsAt, timeZone)}${by(one)}`

/** What it says of a change; null where nothing changed that anyone comes earlier, later or elsewhere for. */
export function describeChange(before: Named, after: Named, timeZone: string): string | null {
  const at = spokenMoment(after.startsAt, timeZone)
  if (before.startsAt.getTime() !== after.startsAt.getTime())
    return `${typeNames[after.type]} moved from ${spokenMoment(before.startsAt, timeZone)} to ${at}${by(after)}`
  if (before.type !== after.type) return `${typeNames[before.type]} on ${at} is a ${typeNames[after.type].toLowerCase()} now`
  if (by(before) !== by(after)) return `${typeNames[after.type]} on ${at} is now${by(after) || ' without provider and room'}`
  return null
}

const became: Record<AppointmentStatus, string> = {
  booked: ' is booked again',
  confirmed: ' confirmed',
  arrived: ': the patient has arrived',
  completed: ' completed',
  no_show: ' missed: the patient did not come',
  cancelled: ' cancelled',
}

export const describeStatus = ({ type, startsAt }: Named, status: AppointmentStatus, reason: string | null, timeZone: string): string =>
  `${typeNames[type]} on ${spokenMoment(startsAt, timeZone)}${became[status]}${reason === null ? '' : `: ${reason}`}`

/** 'Rebook: missed consultation of Tue, Dec 1, 2026'. A task is told of by mail, so its title names no patient. */
export function rebookTitle(
  { type, startsAt }: Pick<Named, 'type' | 'startsAt'>,
  status: 'no_show' | 'cancelled',
  timeZone: string,
): string {
  const day = format(new TZDate(startsAt.getTime(), timeZone), 'EEE, MMM d, yyyy')
  return `Rebook: ${status === 'no_show' ? 'missed' : 'cancelled'} ${typeNames[type].toLowerCase()} of ${day}`
}

/** 'Reschedule request: consultation of Tue, Dec 1, 2026'; like it, it names no patient. */
export const askedTitle = ({ type, startsAt }: Pick<Named, 'type' | 'startsAt'>, timeZone: string): string =>
  `Reschedule request: ${typeNames[type].toLowerCase()} of ${format(new TZDate(startsAt.getTime(), timeZone), 'EEE, MMM d, yyyy')}`
