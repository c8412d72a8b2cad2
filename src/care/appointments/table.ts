import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { messages } from '../../messages/inbox/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { DayPart } from './link-rules.ts'
import type { MailKind, MailRefusal } from './mail-rules.ts'
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
    /** The patient is told by email of what is booked, moved and cancelled, and reminded. */
    tellsPatient: boolean('tells_patient').notNull().default(false),
    /** The task to book again that a missed or cancelled one has made. No reference: a task may be deleted permanently. */
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

/** What a patient was told of an appointment by email, or why not. What a mail says is its message's. */
export const appointmentMails = pgTable(
  'appointment_mails',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    appointmentId: uuid('appointment_id')
      .notNull()
      .references(() => appointments.id),
    kind: text('kind').$type<MailKind>().notNull(),
    /** When, with whom and where, as it was told. Who it was is no reference: it is told already. */
    startsAt: instant('starts_at').notNull(),
    providerId: uuid('provider_id'),
    place: text('place').notNull(),
    messageId: uuid('message_id').references(() => messages.id, { onDelete: 'set null' }),
    /** Why there is no message. */
    refusal: text('refusal').$type<MailRefusal>(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('appointment_mails_appointment').on(t.appointmentId, t.createdAt),
    index('appointment_mails_message').on(t.messageId),
    // One reminder of a kind for a time, whatever runs twice.
    uniqueIndex('appointment_mails_reminder')
      .on(t.appointmentId, t.kind, t.startsAt)
      .where(sql`${t.kind} in ('reminder_48h', 'reminder_24h')`),
  ],
)

/** The secrets in the links of mails, as hashes: each lets its holder see one appointment, at the time that the mail told. */
export const appointmentLinks = pgTable(
  'appointment_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    appointmentId: uuid('appointment_id')
      .notNull()
      .references(() => appointments.id),
    startsAt: instant('starts_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('appointment_links_appointment').on(t.appointmentId)],
)

/** What patients have asked for who cannot come. */
export const appointmentRequests = pgTable(
  'appointment_requests',
  {
    /** Made by the page that asks, so that asking twice is asking once. */
    id: uuid('id').primaryKey(),
    appointmentId: uuid('appointment_id')
      .notNull()
      .references(() => appointments.id),
    /** The time that does not suit. */
    startsAt: instant('starts_at').notNull(),
    /** 1 (Monday) to 7. */
    weekdays: integer('weekdays').array().notNull(),
    dayParts: text('day_parts').array().$type<DayPart[]>().notNull(),
    words: text('words'),
    /** No reference: a task may be deleted permanently. */
    taskId: uuid('task_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('appointment_requests_appointment').on(t.appointmentId, t.createdAt)],
)
