import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../contacts/table.ts'
import type { CallOutcome, InteractionType } from './contract.ts'

/** Timeline entries of patients (spec 3, 9). */
export const interactions = pgTable(
  'interactions',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    type: text('type').$type<InteractionType>().notNull(),
    description: text('description').notNull(),
    date: timestamp('date', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** Null for the system, for example when a lead arrives. */
    createdBy: uuid('created_by').references(() => profiles.id),
    /** The outcome of a call. */
    outcome: text('outcome').$type<CallOutcome>(),
    qbSalesReceiptId: text('qb_sales_receipt_id'),
    salesReceiptData: jsonb('sales_receipt_data'),
    paymentMethod: text('payment_method'),
    depositAccount: text('deposit_account'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    /** Set for a note that is pinned above the timeline. */
    pinnedAt: timestamp('pinned_at', { withTimezone: true, mode: 'date' }),
    pinnedBy: uuid('pinned_by').references(() => profiles.id),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [
    index('interactions_contact').on(t.contactId, t.date.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('interactions_pinned')
      .on(t.contactId)
      .where(sql`${t.pinnedAt} is not null`),
    // Staff responses to leads. Queries must use the same condition as this index (see dashboard/figures.ts).
    index('interactions_answers')
      .on(t.contactId, t.date)
      .where(
        sql`created_by is not null and type in ('call', 'email', 'meeting', 'stage_change', 'stage_changed', 'consult_booked', 'surgery_booked')`,
      ),
    index('interactions_date').on(t.date.desc().nullsFirst()),
  ],
)
