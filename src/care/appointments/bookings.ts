import { permissions } from '../../kernel/access/policy.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineBookings, type LockedBooking } from '../reservations/service.ts'
import type { Appointment } from './contract.ts'
import { getAppointment } from './read.ts'
import { appointments } from './table.ts'

export type Row = typeof appointments.$inferSelect
/** A locked appointment with its locked patient. */
export type Locked = LockedBooking<Row>

export const bookings = defineBookings<Row, Appointment>({
  kind: 'appointment',
  table: appointments,
  get: getAppointment,
})

/** Publishes a change of an appointment to accounts that may list appointments. */
export const announceAppointment = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'appointment', id, { accounts: [], roles: permissions['appointments.list'] })
