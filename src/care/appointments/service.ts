import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { renameRoom } from './jobs.ts'

export { bookings as appointmentBookings, type Row as AppointmentRow } from './bookings.ts'
export {
  cancellationMoney,
  type CancellationMoney,
  moneyLines,
  onStatusChanged,
  takesCards,
  termsForPatient,
  termsOfAppointment,
} from './terms.ts'
export { confirmOwnAppointment, listOwnAppointments, requestOwnAppointment } from './links/own.ts'
export { bookForPatient } from './booking/book.ts'
export { fillVisit } from './booking/check.ts'
export { nameOfProvider, notifiedDetails, valuesOf, visitLine } from './emails/emails.ts'
export { linkTokenOf } from './links/link-tokens.ts'
export { openDays } from './links/links.ts'
export { nextAppointmentChanges, upcomingVisits } from './next-appointment.ts'

/** Queues an update of the records of patients with an upcoming appointment in a room whose name changed; null: in any room. */
export const refreshRoomName = (tx: Db, roomId: string | null): Promise<void> =>
  enqueue(tx, renameRoom, { roomId }, `appointments.rename-room ${roomId ?? 'all'}`)
