import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { visitTypes } from '../availability/table.ts'
import type { AttributionName, BookingStatus } from './rules.ts'

/** Who books, as typed, and where they came from. */
export interface Booker {
  firstName: string
  lastName: string
  /** Proved by a code, or by the link of an offer from the waiting list. */
  email: string
  phone: string | null
  language: 'en' | 'fr'
  words: string | null
  /** Of the page that led here, under the names that lead forms use. */
  attribution: Partial<Record<AttributionName, string>>
}

/**
 * Bookings by patients that are under way. A held one occupies its time like an appointment: a trigger writes `time_holds`. Personal data is
 * erased when it ends.
 */
export const bookingHolds = pgTable(
  'booking_holds',
  {
    /** Chosen by the page, and known to no one else. */
    id: uuid('id').primaryKey(),
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id, { onDelete: 'cascade' }),
    /** The provider whom the patient chose; null: anyone. */
    wantedProviderId: uuid('wanted_provider_id').references(() => profiles.id),
    /** The provider, second person and room that are reserved. */
    providerId: uuid('provider_id').references(() => profiles.id),
    secondPersonId: uuid('second_person_id').references(() => profiles.id),
    roomId: uuid('room_id').references(() => rooms.id),
    equipmentUnitIds: uuid('equipment_unit_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Null: no time suited, and the patient joins the waiting list. */
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    bufferBefore: integer('buffer_before').notNull().default(0),
    bufferAfter: integer('buffer_after').notNull().default(0),
    status: text('status').$type<BookingStatus>().notNull().default('open'),
    /** Null once it is over. */
    booker: jsonb('booker').$type<Booker>(),
    /** Of the latest code, keyed with the installation's secret; null once it was used. */
    codeHash: text('code_hash'),
    codeExpiresAt: instant('code_expires_at'),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** When a code proved the address. */
    provenAt: instant('proven_at'),
    heldUntil: instant('held_until'),
    /** The offer from the waiting list that the patient accepts; null: they chose the time. Not a foreign key: the patient may be deleted first. */
    offerId: uuid('offer_id'),
    /** Not a foreign key: the appointment may be deleted first. */
    appointmentId: uuid('appointment_id'),
    /** The forms that it sent. Not a foreign key either. */
    formIds: uuid('form_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('booking_holds_times', sql`${t.startsAt} < ${t.endsAt}`),
    check('booking_holds_both_times', sql`(${t.startsAt} is null) = (${t.endsAt} is null)`),
    check('booking_holds_status', sql`${t.status} in ('open', 'held', 'booked', 'over')`),
    check(
      'booking_holds_held',
      sql`${t.status} <> 'held' or (${t.provenAt} is not null and ${t.heldUntil} is not null and ${t.startsAt} is not null)`,
    ),
    index('booking_holds_email').on(sql`lower(${t.booker}->>'email')`),
    index('booking_holds_expires').on(t.expiresAt),
  ],
)
