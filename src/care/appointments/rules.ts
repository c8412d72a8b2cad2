import { toLocal } from '../../shared/zoned-time.ts'

export const appointmentTypes = ['consult', 'pre_op', 'post_op', 'follow_up', 'treatment', 'other'] as const
export type AppointmentType = (typeof appointmentTypes)[number]

export const appointmentStatuses = ['booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** Statuses of visits that are still to take place or under way. */
export const upcomingStatuses: readonly AppointmentStatus[] = ['booked', 'confirmed', 'arrived']

/** Statuses that occupy the provider and the room. */
export const blockingStatuses: readonly AppointmentStatus[] = ['booked', 'confirmed', 'arrived', 'completed']

/** Duration limits in minutes. */
export const [minMinutes, maxMinutes] = [5, 12 * 60] as const
/** Default duration by type, in minutes. */
export const defaultMinutesByType: Record<AppointmentType, number> = {
  consult: 45,
  pre_op: 30,
  post_op: 20,
  follow_up: 20,
  treatment: 60,
  other: 30,
}

/** Allowed status changes. Finished visits can be corrected and cancelled ones booked again. */
const nextStatuses: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  booked: ['confirmed', 'arrived', 'completed', 'no_show', 'cancelled'],
  confirmed: ['booked', 'arrived', 'completed', 'no_show', 'cancelled'],
  arrived: ['booked', 'confirmed', 'completed', 'no_show', 'cancelled'],
  completed: ['arrived', 'booked', 'no_show'],
  no_show: ['booked', 'arrived', 'completed'],
  cancelled: ['booked'],
}
export const mayFollow = (from: AppointmentStatus, to: AppointmentStatus): boolean => nextStatuses[from].includes(to)

/**
 * The status after a move to another time. A confirmation applied to the previous time, and an arrival only counts on the same day.
 * `isSameDay`: in the practice's time zone.
 */
export const movedStatus = (status: AppointmentStatus, isSameDay: boolean): AppointmentStatus =>
  status === 'confirmed' || (status === 'arrived' && !isSameDay) ? 'booked' : status

/** An appointment cannot be missed before it has begun. */
export const isTooEarly = (to: AppointmentStatus, startsAt: Date, now: Date): boolean => to === 'no_show' && now < startsAt

/** Names in sentences. */
export const typeNames: Record<AppointmentType, string> = {
  consult: 'Consultation',
  pre_op: 'Pre-op visit',
  post_op: 'Post-op visit',
  follow_up: 'Follow-up visit',
  treatment: 'Treatment',
  other: 'Appointment',
}

/** The next appointment on a patient's record: date and time in the practice's time zone, and place. */
export interface NextAppointment {
  appointmentDate: string | null
  appointmentTime: string | null
  appointmentLocation: string | null
}
export const noAppointment: NextAppointment = { appointmentDate: null, appointmentTime: null, appointmentLocation: null }

/** The limit of the record's field. */
const maxLocationLength = 200

export function nextAppointment(startsAt: Date, room: { name: string; location: string | null } | null, timeZone: string): NextAppointment {
  const { day, time } = toLocal(startsAt, timeZone)
  const place = room && [room.name, room.location].filter((part) => part !== null).join(', ')
  return { appointmentDate: day, appointmentTime: time, appointmentLocation: place && place.slice(0, maxLocationLength).toWellFormed() }
}
