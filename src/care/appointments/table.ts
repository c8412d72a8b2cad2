import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { messages } from '../../messages/inbox/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { Language } from '../../shared/translations.ts'
import { visitTypes } from '../availability/table.ts'
import type { DayPart } from './link-rules.ts'
import type { MailKind, MailRefusal } from './email-rules.ts'
import type { AppointmentStatus, AppointmentType } from './rules.ts'

/**
 * Appointments. The database refuses overlaps in a room or for a provider: see time_holds.
 */
export const appointments = pgTable(
  'appointments',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    type: text('type').$type<AppointmentType>().notNull(),
    providerId: uuid('provider_id').references(() => profiles.id),
    roomId: uuid('room_id').references(() => rooms.id),
    visitTypeId: uuid('visit_type_id').references(() => visitTypes.id),
    /** Takes part in addition to the provider. */
    secondPersonId: uuid('second_person_id').references(() => profiles.id),
    /** Minutes kept free before and after it for provider, second person and room, as its visit type had them when it was booked. */
    bufferBefore: integer('buffer_before').notNull().default(0),
    bufferAfter: integer('buffer_after').notNull().default(0),
    /** Pieces of equipment that are reserved. */
    equipmentUnitIds: uuid('equipment_unit_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The series that it was booked in, its number from 1 and how many visits that had; null: none. */
    seriesId: uuid('series_id'),
    seriesNumber: integer('series_number'),
    seriesVisits: integer('series_visits'),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    status: text('status').$type<AppointmentStatus>().notNull().default('booked'),
    /** Set if cancelled. */
    cancelReason: text('cancel_reason'),
    notes: text('notes'),
    /** Whether the patient is emailed when it is booked, moved or cancelled, and reminded. */
    notifiesPatient: boolean('notifies_patient').notNull().default(false),
    /** The rebooking task of a missed or cancelled appointment. Not a foreign key, because a task may be deleted permanently. */
    rebookTaskId: uuid('rebook_task_id'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Hash of the request made with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('appointments_times', sql`${t.startsAt} < ${t.endsAt}`),
    check('appointments_status', sql`${t.status} in ('booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled')`),
    check('appointments_cancelled', sql`(${t.status} = 'cancelled') = (${t.cancelReason} is not null)`),
    check(
      'appointments_series',
      sql`num_nulls(${t.seriesId}, ${t.seriesNumber}, ${t.seriesVisits}) in (0, 3) and ${t.seriesNumber} between 1 and ${t.seriesVisits}`,
    ),
    uniqueIndex('appointments_series_number')
      .on(t.seriesId, t.seriesNumber)
      .where(sql`${t.seriesId} is not null`),
    index('appointments_contact').on(t.contactId, t.startsAt),
    index('appointments_start').on(t.startsAt),
    index('appointments_visit_type')
      .on(t.visitTypeId, t.startsAt)
      .where(sql`${t.visitTypeId} is not null`),
  ],
)

/** Emails about appointments, sent or refused. The text is in the message. */
export const appointmentMails = pgTable(
  'appointment_mails',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    appointmentId: uuid('appointment_id')
      .notNull()
      .references(() => appointments.id),
    kind: text('kind').$type<MailKind>().notNull(),
    /** Time, provider and place as announced. The provider is not a foreign key, because this is history. */
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
    // At most one reminder of each kind per appointment time, even if the job runs twice.
    uniqueIndex('appointment_mails_reminder')
      .on(t.appointmentId, t.kind, t.startsAt)
      .where(sql`${t.kind} in ('reminder_48h', 'reminder_24h')`),
  ],
)

/** Hashed secrets of links. Each shows its holder one appointment, at the time in the email; there is one for each time. */
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

/** Reschedule requests from patients. */
export const appointmentRequests = pgTable(
  'appointment_requests',
  {
    /** Generated by the page, which makes the request idempotent. */
    id: uuid('id').primaryKey(),
    appointmentId: uuid('appointment_id')
      .notNull()
      .references(() => appointments.id),
    /** The time that the patient cannot make. */
    startsAt: instant('starts_at').notNull(),
    /** 1 (Monday) to 7. */
    weekdays: integer('weekdays').array().notNull(),
    dayParts: text('day_parts').array().$type<DayPart[]>().notNull(),
    words: text('words'),
    /** Not a foreign key, because a task may be deleted permanently. */
    taskId: uuid('task_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('appointment_requests_appointment').on(t.appointmentId, t.createdAt)],
)

/** What patients accepted when they booked a visit that needs a deposit or a card: the evidence if they dispute a fee. */
export const visitTerms = pgTable(
  'visit_terms',
  {
    /** The key of the booking, which its payment refers to. */
    id: uuid('id').primaryKey(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** Null until it is booked. Not a foreign key, because this outlives the appointment. */
    appointmentId: uuid('appointment_id').unique(),
    depositCents: cents('deposit_cents').notNull(),
    keepsCard: boolean('keeps_card').notNull(),
    lateFeeCents: cents('late_fee_cents').notNull(),
    noShowFeeCents: cents('no_show_fee_cents').notNull(),
    changeHours: integer('change_hours').notNull(),
    /** The wording, as it was read. */
    text: text('text').notNull(),
    language: text('language').$type<Language>().notNull(),
    acceptedAt: instant('accepted_at').notNull(),
    /** Network address and browser. */
    address: text('address'),
    device: text('device'),
    /** When the visit was cancelled too late to be free; null: it was not. */
    cancelledLateAt: instant('cancelled_late_at'),
  },
  (t) => [index('visit_terms_contact').on(t.contactId)],
)
