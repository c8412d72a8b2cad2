import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentType, maxMinutes, minMinutes, defaultMinutesByType } from '../../rules.ts'
import { changedFields, blankToNull, timeProblems, parseMinutes } from '../../../calendar/web/embed/booking/booking-values.ts'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import type { AppointmentData } from '../appointment-data.ts'

/** The form's fields as typed; empty text is ''. */
export interface AppointmentValues {
  contactId: string | null
  type: AppointmentType
  providerId: string | null
  roomId: string | null
  day: string
  time: string
  minutes: string
  notes: string
  /** Whether the patient is emailed about this and later changes. */
  notifiesPatient: boolean
}

export const blankAppointment = (given: Partial<AppointmentValues>): AppointmentValues => ({
  contactId: null,
  type: 'consult',
  providerId: null,
  roomId: null,
  day: '',
  time: '',
  minutes: String(defaultMinutesByType[given.type ?? 'consult']),
  notes: '',
  notifiesPatient: true,
  ...given,
})

export function valuesOf(appointment: AppointmentData, timeZone: string): AppointmentValues {
  const { contact, type, providerId, roomId, startsAt, notes, notifiesPatient } = appointment
  return {
    contactId: contact.id,
    type,
    providerId,
    roomId,
    ...toLocal(startsAt, timeZone),
    minutes: String(lengthOf(appointment)),
    notes: notes ?? '',
    notifiesPatient,
  }
}

/** Changes the type, and the duration to its default unless another one was typed. */
export const withType = (values: AppointmentValues, type: AppointmentType): AppointmentValues => ({
  ...values,
  type,
  minutes: values.minutes === String(defaultMinutesByType[values.type]) ? String(defaultMinutesByType[type]) : values.minutes,
})

/** The typed duration; null if it is not valid. */
export const minutesOf = ({ minutes }: Pick<AppointmentValues, 'minutes'>): number | null => parseMinutes(minutes, [minMinutes, maxMinutes])

export const problemsOf = (values: AppointmentValues): Problems<AppointmentValues> => ({
  ...(values.contactId === null && { contactId: appointmentMessages.patient }),
  ...timeProblems(values, [minMinutes, maxMinutes]),
})

/** The API input for valid values. */
export function toInput(values: AppointmentValues, timeZone: string) {
  const { type, providerId, roomId, day, time, notes, notifiesPatient } = values
  return {
    type,
    providerId,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values) ?? defaultMinutesByType[type],
    notes: blankToNull(notes),
    notifiesPatient,
  }
}

export const changesOf = (values: AppointmentValues, base: AppointmentValues, timeZone: string) =>
  changedFields(values, base, (typed) => toInput(typed, timeZone))
