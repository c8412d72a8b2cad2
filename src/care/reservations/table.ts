import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { appointments } from '../appointments/table.ts'
import { surgeries } from '../surgeries/table.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The times that providers and rooms are taken, by appointments and by surgeries. Triggers of both tables keep it, and an exclusion constraint
 * (drizzle/, time_holds) refuses two that overlap, whoever writes them at the same time.
 */
export const timeHolds = pgTable(
  'time_holds',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    what: text('what').$type<'provider' | 'room'>().notNull(),
    /** Of the provider or the room. */
    resourceId: uuid('resource_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    appointmentId: uuid('appointment_id').references(() => appointments.id, { onDelete: 'cascade' }),
    surgeryId: uuid('surgery_id').references(() => surgeries.id, { onDelete: 'cascade' }),
  },
  (t) => [
    check('time_holds_what', sql`${t.what} in ('provider', 'room')`),
    check('time_holds_source', sql`num_nonnulls(${t.appointmentId}, ${t.surgeryId}) = 1`),
    index('time_holds_appointment').on(t.appointmentId),
    index('time_holds_surgery').on(t.surgeryId),
  ],
)
