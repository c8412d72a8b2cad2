import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentType, longest, shortest, defaultMinutesByType } from '../../rules.ts'
import { changedOf, orNull, timeProblems, typedMinutes } from '../../../calendar/web/embed/booking/booking-values.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import type { AppointmentData } from '../appointment-data.ts'

/** The form's fields as they are typed: what is empty is ''. */
export interface AppointmentValues {
  contactId: string | null
  type: AppointmentType
  providerId: string | null
  roomId: string | null
  day: string
  time: string
  minutes: string
  notes: string
  /** By email, of this and of what becomes of it. */
  tellsPatient: boolean
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
  tellsPatient: true,
  ...given,
})

export function valuesOf(appointment: AppointmentData, timeZone: string): AppointmentValues {
  const { contact, type, providerId, roomId, startsAt, notes, tellsPatient } = appointment
  return {
    contactId: contact.id,
    type,
    providerId,
    roomId,
    ...toLocal(startsAt, timeZone),
    minutes: String(lengthOf(appointment)),
    notes: notes ?? '',
    tellsPatient,
  }
}

/** Another kind takes its usual time, unless another length was chosen. */
export const withType = (values: AppointmentValues, type: AppointmentType): AppointmentValues => ({
  ...values,
  type,
  minutes: values.minutes === String(defaultMinutesByType[values.type]) ? String(defaultMinutesByType[type]) : values.minutes,
})

/** Null unless it is a number of minutes that an appointment may take. */
export const minutesOf = ({ minutes }: Pick<AppointmentValues, 'minutes'>): number | null => typedMinutes(minutes, [shortest, longest])

export const problemsOf = (values: AppointmentValues): Problems<AppointmentValues> => ({
  ...(values.contactId === null && { contactId: appointmentMessages.patient }),
  ...timeProblems(values, [shortest, longest]),
})

/** As the API takes it, once nothing is wrong. */
export function sentOf(values: AppointmentValues, timeZone: string) {
  const { type, providerId, roomId, day, time, notes, tellsPatient } = values
  return {
    type,
    providerId,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values) ?? defaultMinutesByType[type],
    notes: orNull(notes),
    tellsPatient,
  }
}

export const changesOf = (values: AppointmentValues, base: AppointmentValues, timeZone: string) =>
  changedOf(values, base, (some) => sentOf(some, timeZone))
