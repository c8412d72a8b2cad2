import { type Client, orpc } from '../../../ui/client/api.ts'
import type { Clock } from '../../../ui/format.ts'
import type { BookingKind } from '../../calendar/web/embed/booking/bookings.ts'

export { patientName } from '../../calendar/web/embed/booking/bookings.ts'

/** An appointment as it arrives in the browser: instants are ISO strings. */
export type AppointmentData = Awaited<ReturnType<Client['appointments']['get']>>

/** A patient whom an appointment is for. */
export interface AppointmentPatient {
  id: string
  firstName: string
  lastName: string
}

export const appointmentKind: BookingKind<AppointmentData> = {
  noun: 'appointment',
  queries: orpc.appointments,
  placeOf: ({ startsAt, endsAt, providerId, roomId }) => ({ startsAt, endsAt, providerId, roomId }),
  fieldsOf: ({ startsAt, endsAt, providerId, roomId }) => ({ startsAt, endsAt, providerId, roomId }),
}

/** Whether it is still to begin. */
export const isToCome = ({ startsAt, status }: Pick<AppointmentData, 'startsAt' | 'status'>, { now }: Pick<Clock, 'now'>): boolean =>
  (status === 'booked' || status === 'confirmed') && Date.parse(startsAt) > new Date(now).getTime()
