import { describeBookingChange, formatMoment, formatPlace, formatSpokenDay, type NamedBooking } from '../reservations/rules.ts'
import { type AppointmentStatus, type AppointmentType, typeNames } from './rules.ts'

/** An appointment as a sentence names it. */
export interface Named extends NamedBooking {
  type: AppointmentType
}

/** What the timeline says of a new appointment: 'Consultation booked for Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor in Consult room 1'. */
export const describeBooking = (one: Named, timeZone: string): string =>
  `${typeNames[one.type]} booked for ${formatMoment(one.startsAt, timeZone)}${formatPlace(one)}`

/** What it says of a change; null where nothing changed that anyone comes earlier, later or elsewhere for. */
export function describeChange(before: Named, after: Named, timeZone: string): string | null {
  const [was, what] = [typeNames[before.type], typeNames[after.type]]
  const became = was === what ? null : (at: string) => `${was} on ${at} is a ${what.toLowerCase()} now`
  return describeBookingChange(before, after, { what, became, nowhere: ' without provider and room' }, timeZone)
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
  `${typeNames[type]} on ${formatMoment(startsAt, timeZone)}${became[status]}${reason === null ? '' : `: ${reason}`}`

/** 'Rebook: missed consultation of Tue, Dec 1, 2026'. A task is told of by mail, so its title names no patient. */
export function rebookTitle(
  { type, startsAt }: Pick<Named, 'type' | 'startsAt'>,
  status: 'no_show' | 'cancelled',
  timeZone: string,
): string {
  return `Rebook: ${status === 'no_show' ? 'missed' : 'cancelled'} ${typeNames[type].toLowerCase()} of ${formatSpokenDay(startsAt, timeZone)}`
}

/** 'Reschedule request: consultation of Tue, Dec 1, 2026'; like it, it names no patient. */
export const askedTitle = ({ type, startsAt }: Pick<Named, 'type' | 'startsAt'>, timeZone: string): string =>
  `Reschedule request: ${typeNames[type].toLowerCase()} of ${formatSpokenDay(startsAt, timeZone)}`
