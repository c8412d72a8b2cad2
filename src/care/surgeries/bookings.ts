import { defineBookings, type LockedBooking } from '../reservations/service.ts'
import type { Surgery } from './contract.ts'
import { getSurgery } from './read.ts'
import { surgeries } from './table.ts'

export type Row = typeof surgeries.$inferSelect
/** A locked case with its locked patient. */
export type Locked = LockedBooking<Row>

export const bookings = defineBookings<Row, Surgery>({ kind: 'surgery', table: surgeries, get: getSurgery })
