import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentType, maxMinutes, minMinutes, defaultMinutesByType } from '../../rules.ts'
import { changedFields, blankToNull, timeProblems, parseMinutes } from '../../../calendar/web/embed/booking/booking-values.ts'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import type { Problems } from '../../../calendar/web/embed/booking/useBookingForm.ts'
import type { VisitTypeData } from '../../../availability/web/embed/useAvailability.ts'
import type { AppointmentData } from '../appointment-data.ts'

/** The form's fields as typed; empty text is ''. */
export interface AppointmentValues {
  contactId: string | null
  /** Null: an appointment without a visit type. */
  visitTypeId: string | null
  type: AppointmentType
  /** Null with a new visit type: anyone who is free. The same holds for the second person and the room. */
  providerId: string | null
  secondPersonId: string | null
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
  visitTypeId: null,
  type: 'consult',
  providerId: null,
  secondPersonId: null,
  roomId: null,
  day: '',
  time: '',
  minutes: String(defaultMinutesByType[given.type ?? 'consult']),
  notes: '',
  notifiesPatient: true,
  ...given,
})

export function valuesOf(appointment: AppointmentData, timeZone: string): AppointmentValues {
  const { contact, visitTypeId, type, providerId, secondPersonId, roomId, startsAt, notes, notifiesPatient } = appointment
  return {
    contactId: contact.id,
    visitTypeId,
    type,
    providerId,
    secondPersonId,
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

/** Chooses a visit type, with its duration. People and rooms that the visit type does not have are no longer chosen. */
export function withVisitType(values: AppointmentValues, visitType: VisitTypeData | null): AppointmentValues {
  if (!visitType) return { ...values, visitTypeId: null, secondPersonId: null }
  const ifOf = (ids: readonly string[], id: string | null) => (id !== null && ids.includes(id) ? id : null)
  return {
    ...values,
    visitTypeId: visitType.id,
    type: visitType.type,
    minutes: String(visitType.minutes),
    providerId: ifOf(visitType.providerIds, values.providerId),
    secondPersonId: ifOf(visitType.secondIds, values.secondPersonId),
    roomId: visitType.roomIds.length === 0 ? values.roomId : ifOf(visitType.roomIds, values.roomId),
  }
}

/** The typed duration; null if it is not valid. */
export const minutesOf = ({ minutes }: Pick<AppointmentValues, 'minutes'>): number | null => parseMinutes(minutes, [minMinutes, maxMinutes])

export const problemsOf = (values: AppointmentValues): Problems<AppointmentValues> => ({
  ...(values.contactId === null && { contactId: appointmentMessages.patient }),
  ...timeProblems(values, [minMinutes, maxMinutes]),
})

/** The API input for valid values. */
export function toInput(values: AppointmentValues, timeZone: string) {
  const { visitTypeId, type, providerId, secondPersonId, roomId, day, time, notes, notifiesPatient } = values
  return {
    visitTypeId,
    type,
    providerId,
    secondPersonId,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values) ?? defaultMinutesByType[type],
    notes: blankToNull(notes),
    notifiesPatient,
  }
}

export const changesOf = (values: AppointmentValues, base: AppointmentValues, timeZone: string) =>
  changedFields(values, base, (typed) => toInput(typed, timeZone))
