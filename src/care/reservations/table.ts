import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { appointments } from '../appointments/table.ts'
import { bookingHolds } from '../self-booking/table.ts'
import { surgeries } from '../surgeries/table.ts'

/**
 * Times at which appointments, surgeries and patients who are booking occupy people and rooms, with buffers. Triggers on those tables maintain it, and an exclusion constraint
 * (drizzle/, time_holds) refuses overlaps, even between concurrent writers.
 */
export const timeHolds = pgTable(
  'time_holds',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    what: text('what').$type<'provider' | 'room' | 'equipment'>().notNull(),
    /** The id of the provider, the second person (a provider too), the room or the piece of equipment. */
    resourceId: uuid('resource_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    appointmentId: uuid('appointment_id').references(() => appointments.id, { onDelete: 'cascade' }),
    surgeryId: uuid('surgery_id').references(() => surgeries.id, { onDelete: 'cascade' }),
    /** A patient who is booking. */
    bookingHoldId: uuid('booking_hold_id').references(() => bookingHolds.id, { onDelete: 'cascade' }),
  },
  (t) => [
    check('time_holds_what', sql`${t.what} in ('provider', 'room', 'equipment')`),
    check('time_holds_source', sql`num_nonnulls(${t.appointmentId}, ${t.surgeryId}, ${t.bookingHoldId}) = 1`),
    index('time_holds_appointment').on(t.appointmentId),
    index('time_holds_surgery').on(t.surgeryId),
    index('time_holds_booking').on(t.bookingHoldId),
    index('time_holds_resource').on(t.resourceId, t.startsAt, t.endsAt),
  ],
)
