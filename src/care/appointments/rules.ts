import { toLocal } from '../../shared/zoned-time.ts'

export const appointmentTypes = ['consult', 'pre_op', 'post_op', 'follow_up', 'treatment', 'other'] as const
export type AppointmentType = (typeof appointmentTypes)[number]

export const appointmentStatuses = ['booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** Those that a patient is still to come for. */
export const coming: readonly AppointmentStatus[] = ['booked', 'confirmed', 'arrived']

/** Those that take up a provider's and a room's time. */
export const holding: readonly AppointmentStatus[] = ['booked', 'confirmed', 'arrived', 'completed']

/** Minutes. */
export const [shortest, longest] = [5, 12 * 60] as const
/** Minutes that one of a kind usually takes. */
export const defaultMinutesByType: Record<AppointmentType, number> = {
  consult: 45,
  pre_op: 30,
  post_op: 20,
  follow_up: 20,
  treatment: 60,
  other: 30,
}

/** What may follow on a status. What is over can be corrected, and what was cancelled booked again. */
const following: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  booked: ['confirmed', 'arrived', 'completed', 'no_show', 'cancelled'],
  confirmed: ['booked', 'arrived', 'completed', 'no_show', 'cancelled'],
  arrived: ['booked', 'confirmed', 'completed', 'no_show', 'cancelled'],
  completed: ['arrived', 'booked', 'no_show'],
  no_show: ['booked', 'arrived', 'completed'],
  cancelled: ['booked'],
}
export const mayFollow = (from: AppointmentStatus, to: AppointmentStatus): boolean => following[from].includes(to)

/**
 * What becomes of one that is moved to another time: what was confirmed was the time before, and who has arrived is here for another time of that
 * day alone. `isSameDay`: on the practice's calendar.
 */
export const movedStatus = (status: AppointmentStatus, isSameDay: boolean): AppointmentStatus =>
  status === 'confirmed' || (status === 'arrived' && !isSameDay) ? 'booked' : status

/** No one has missed an appointment that has not begun. */
export const isTooEarly = (to: AppointmentStatus, startsAt: Date, now: Date): boolean => to === 'no_show' && now < startsAt

/** What staff call them. */
export const typeNames: Record<AppointmentType, string> = {
  consult: 'Consultation',
  pre_op: 'Pre-op visit',
  post_op: 'Post-op visit',
  follow_up: 'Follow-up visit',
  treatment: 'Treatment',
  other: 'Appointment',
}

/** What a patient's record says of the next appointment: day and time on the practice's clock, and where. */
export interface NextAppointment {
  appointmentDate: string | null
  appointmentTime: string | null
  appointmentLocation: string | null
}
export const noAppointment: NextAppointment = { appointmentDate: null, appointmentTime: null, appointmentLocation: null }

/** As long as the record's own field. */
const maxLocationLength = 200

export function nextAppointment(startsAt: Date, room: { name: string; location: string | null } | null, timeZone: string): NextAppointment {
  const { day, time } = toLocal(startsAt, timeZone)
  const place = room && [room.name, room.location].filter((part) => part !== null).join(', ')
  return { appointmentDate: day, appointmentTime: time, appointmentLocation: place && place.slice(0, maxLocationLength).toWellFormed() }
}
