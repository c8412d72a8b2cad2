import { describeBookingChange, formatMoment, formatPlace, formatSpokenDay, type NamedBooking } from '../reservations/rules.ts'
import { type AppointmentStatus, type AppointmentType, typeNames } from './rules.ts'

/** An appointment with the names that a sentence needs. */
export interface NamedAppointment extends NamedBooking {
  type: AppointmentType
}

/** The timeline entry of a new appointment (`by`: ' by the patient'): 'Consultation booked for Tue, Dec 1, 2026 at 10:00 a.m. with Dr. Okafor in Consult room 1'. */
export const describeBooking = (appointment: NamedAppointment, timeZone: string, by = ''): string =>
  `${typeNames[appointment.type]} booked${by} for ${formatMoment(appointment.startsAt, timeZone)}${formatPlace(appointment)}`

/** The timeline entry of a change; null if time, type, provider and room are unchanged. */
export function describeChange(before: NamedAppointment, after: NamedAppointment, timeZone: string): string | null {
  const [typeBefore, typeAfter] = [typeNames[before.type], typeNames[after.type]]
  const typeChange = typeBefore === typeAfter ? null : (at: string) => `${typeBefore} on ${at} is now a ${typeAfter.toLowerCase()}`
  return describeBookingChange(before, after, { what: typeAfter, typeChange, withoutPlace: ' without provider and room' }, timeZone)
}

const statusPhrases: Record<AppointmentStatus, string> = {
  booked: ' is booked again',
  confirmed: ' confirmed',
  arrived: ': the patient has arrived',
  completed: ' completed',
  no_show: ' missed: the patient did not show up',
  cancelled: ' cancelled',
}

/** The timeline entry of a new status; `by`: ' by the patient'. */
export const describeStatus = (
  { type, startsAt }: NamedAppointment,
  status: AppointmentStatus,
  reason: string | null,
  timeZone: string,
  by = '',
): string => `${typeNames[type]} on ${formatMoment(startsAt, timeZone)}${statusPhrases[status]}${by}${reason === null ? '' : `: ${reason}`}`

/** 'Rebook: missed consultation on Tue, Dec 1, 2026'. Task titles are emailed, so this one does not name the patient. */
export function rebookTitle(
  { type, startsAt }: Pick<NamedAppointment, 'type' | 'startsAt'>,
  status: 'no_show' | 'cancelled',
  timeZone: string,
): string {
  return `Rebook: ${status === 'no_show' ? 'missed' : 'cancelled'} ${typeNames[type].toLowerCase()} on ${formatSpokenDay(startsAt, timeZone)}`
}

/** 'Reschedule request: consultation on Tue, Dec 1, 2026'. It does not name the patient either. */
export const rescheduleTitle = ({ type, startsAt }: Pick<NamedAppointment, 'type' | 'startsAt'>, timeZone: string): string =>
  `Reschedule request: ${typeNames[type].toLowerCase()} on ${formatSpokenDay(startsAt, timeZone)}`
