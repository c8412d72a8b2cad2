import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../auth/table.ts'
import { contacts } from '../contacts/table.ts'
import { rooms } from '../practice/table.ts'
import type { AppointmentStatus, AppointmentType } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * When a patient comes. Two that overlap in a room, or for a provider, are refused by the database: see time_holds.
 */
export const appointments = pgTable(
  'appointments',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    type: text('type').$type<AppointmentType>().notNull(),
    providerId: uuid('provider_id').references(() => profiles.id),
    roomId: uuid('room_id').references(() => rooms.id),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    status: text('status').$type<AppointmentStatus>().notNull().default('booked'),
    /** Of one that was cancelled. */
    cancelReason: text('cancel_reason'),
    notes: text('notes'),
    /** The task to book again that a missed or cancelled one has made. No reference: a task may be deleted for good. */
    rebookTaskId: uuid('rebook_task_id'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Of what came with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('appointments_times', sql`${t.startsAt} < ${t.endsAt}`),
    check('appointments_status', sql`${t.status} in ('booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled')`),
    check('appointments_cancelled', sql`(${t.status} = 'cancelled') = (${t.cancelReason} is not null)`),
    index('appointments_contact').on(t.contactId, t.startsAt),
    index('appointments_start').on(t.startsAt),
  ],
)
