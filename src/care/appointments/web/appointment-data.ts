import { type Client, orpc } from '../../../ui/client/api.ts'
import type { Clock } from '../../../ui/format.ts'
import type { BookedPatient, BookingKind } from '../../calendar/web/embed/booking/bookings.ts'

export { patientName } from '../../calendar/web/embed/booking/bookings.ts'

/** An appointment as the API returns it: instants are ISO strings. */
export type AppointmentData = Awaited<ReturnType<Client['appointments']['get']>>

/** The patient of an appointment. */
export type AppointmentPatient = BookedPatient

export const appointmentKind: BookingKind<AppointmentData> = {
  noun: 'appointment',
  queries: orpc.appointments,
  slotOf: ({ startsAt, endsAt, providerId, roomId }) => ({ startsAt, endsAt, providerId, roomId }),
  fieldsOf: ({ startsAt, endsAt, providerId, roomId }) => ({ startsAt, endsAt, providerId, roomId }),
}

/** Whether a booked or confirmed appointment has not begun yet. */
export const isUpcoming = ({ startsAt, status }: Pick<AppointmentData, 'startsAt' | 'status'>, { now }: Pick<Clock, 'now'>): boolean =>
  (status === 'booked' || status === 'confirmed') && Date.parse(startsAt) > new Date(now).getTime()
