import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { messages } from '../../messages/inbox/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { DayPart } from '../appointments/link-rules.ts'
import { visitTypes } from '../availability/table.ts'
import type { OfferStatus, EntryStatus } from './rules.ts'

const day = (name: string) => date(name, { mode: 'string' })
const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** What patients wait for: a visit at times that suit them. */
export const waitingEntries = pgTable(
  'waiting_list_entries',
  {
    id: id(),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    visitTypeId: uuid('visit_type_id')
      .notNull()
      .references(() => visitTypes.id),
    /** Null: anyone who does the visit. */
    providerId: uuid('provider_id').references(() => profiles.id),
    /** 1 (Monday) to 7; empty: every day. */
    weekdays: integer('weekdays').array().notNull(),
    /** Empty: at any time. */
    dayParts: text('day_parts').array().$type<DayPart[]>().notNull(),
    fromDay: day('from_day').notNull(),
    toDay: day('to_day').notNull(),
    note: text('note'),
    /** The first free start that suits, as of the last look; null: none. */
    openAt: instant('open_at'),
    /** The starts that suit and have been free ever since it was added or changed, in minutes since 1970. The job does not offer them. */
    alreadyOpen: integer('already_open')
      .array()
      .notNull()
      .default(sql`'{}'`),
    status: text('status').$type<EntryStatus>().notNull().default('waiting'),
    /** Of the booking that fulfilled it. Not a foreign key: the appointment may be deleted first. */
    appointmentId: uuid('appointment_id'),
    /** Null: the patient. */
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('waiting_list_entries_days', sql`${t.fromDay} <= ${t.toDay}`),
    check('waiting_list_entries_status', sql`${t.status} in ('waiting', 'booked', 'ended')`),
    index('waiting_list_entries_contact').on(t.contactId),
    index('waiting_list_entries_waiting')
      .on(t.createdAt)
      .where(sql`${t.status} = 'waiting'`),
  ],
)

/** Times that were offered to patients who wait. */
export const waitingOffers = pgTable(
  'waiting_offers',
  {
    id: id(),
    entryId: uuid('entry_id')
      .notNull()
      .references(() => waitingEntries.id),
    providerId: uuid('provider_id').references(() => profiles.id),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    status: text('status').$type<OfferStatus>().notNull().default('open'),
    /** Until when the patient may say yes. */
    expiresAt: instant('expires_at').notNull(),
    messageId: uuid('message_id').references(() => messages.id, { onDelete: 'set null' }),
    /** Null: offered automatically. */
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('waiting_offers_status', sql`${t.status} in ('open', 'accepted', 'declined', 'expired', 'gone')`),
    // A patient decides about one time at a time.
    uniqueIndex('waiting_offers_open')
      .on(t.entryId)
      .where(sql`${t.status} = 'open'`),
    index('waiting_offers_entry').on(t.entryId, t.createdAt),
    index('waiting_offers_message').on(t.messageId),
  ],
)
