import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentType, longest, shortest, defaultMinutesByType } from '../../rules.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import type { Problems } from '../../../calendar/web/embed/useBookingForm.ts'
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
export function minutesOf({ minutes }: Pick<AppointmentValues, 'minutes'>): number | null {
  const typed = /^\d{1,3}$/.test(minutes.trim()) ? Number(minutes) : Number.NaN
  return typed >= shortest && typed <= longest ? typed : null
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export function problemsOf(values: AppointmentValues): Problems<AppointmentValues> {
  const { contactId, day, time, minutes } = values
  return {
    ...(contactId === null && { contactId: appointmentMessages.patient }),
    ...(!isDay(day) && { day: 'Choose a day' }),
    ...(time === '' && { time: 'Choose a time' }),
    ...(minutesOf({ minutes }) === null && {
      minutes: Number(minutes) > longest ? `At most ${longest / 60} hours` : `At least ${shortest} minutes`,
    }),
  }
}

/** As the API takes it, once nothing is wrong. */
export function sentOf(values: AppointmentValues, timeZone: string) {
  const { type, providerId, roomId, day, time, notes, tellsPatient } = values
  return {
    type,
    providerId,
    roomId,
    startsAt: instantOf({ day, time }, timeZone).toISOString(),
    minutes: minutesOf(values) ?? defaultMinutesByType[type],
    notes: notes.trim() === '' ? null : notes,
    tellsPatient,
  }
}

/** Of what is to be sent, what was changed: what someone else has changed in the meantime is not taken back. */
export function changesOf(values: AppointmentValues, base: AppointmentValues, timeZone: string): Partial<ReturnType<typeof sentOf>> {
  const [sent, before] = [sentOf(values, timeZone), sentOf(base, timeZone)]
  const changed = (Object.keys(sent) as (keyof typeof sent)[]).filter((key) => sent[key] !== before[key])
  // The second of two hours that the clocks show twice looks like the first: the moment moves only if what is shown does.
  const keepsStart = values.day === base.day && values.time === base.time
  return Object.fromEntries(changed.filter((key) => key !== 'startsAt' || !keepsStart).map((key) => [key, sent[key]]))
}
