import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { sql } from 'drizzle-orm'
import { contacts } from '../contacts/table.ts'
import { leadSources } from '../lead-sources/table.ts'
import type { LeadEntryStatus } from './contract.ts'

/** A received lead, kept in full, and its status (spec 4). */
export const leadEntries = pgTable(
  'lead_entries',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    sourceId: uuid('source_id')
      .notNull()
      .references(() => leadSources.id),
    /** The fields as the form sent them. */
    rawData: jsonb('raw_data').$type<Record<string, unknown>>().notNull(),
    /** The raw body, for disputes about what was sent. */
    rawBody: text('raw_body').notNull(),
    contentType: text('content_type').notNull(),
    status: text('status').$type<LeadEntryStatus>().notNull().default('processing'),
    contactId: uuid('contact_id').references(() => contacts.id),
    receivedAt: instant('received_at').notNull().defaultNow(),
    processedAt: instant('processed_at'),
    errorMessage: text('error_message'),
    /** When staff discarded it. */
    dismissedAt: instant('dismissed_at'),
  },
  (t) => [
    index('lead_entries_contact').on(t.contactId),
    index('lead_entries_email').on(sql`lower(${t.rawData}->>'email')`),
    // Entries that still have their body, for the retention rule that erases it.
    index('lead_entries_bodies')
      .on(t.receivedAt)
      .where(sql`raw_body <> ''`),
    // The queue of leads to complete.
    index('lead_entries_waiting')
      .on(t.receivedAt)
      .where(sql`status = 'error' and dismissed_at is null`),
    // Entries being processed, oldest first.
    index('lead_entries_processing')
      .on(t.receivedAt, t.id)
      .where(sql`status = 'processing'`),
    index('lead_entries_source').on(t.sourceId, t.receivedAt.desc().nullsFirst()),
  ],
)

/** The first entry with an idempotency key or a body, by which repeated requests are recognized. */
export const leadClaims = pgTable(
  'lead_claims',
  {
    sourceId: uuid('source_id')
      .notNull()
      .references(() => leadSources.id, { onDelete: 'cascade' }),
    claim: text('claim').notNull(),
    entryId: uuid('entry_id').notNull(),
    bodyHash: text('body_hash').notNull(),
    claimedAt: instant('claimed_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.sourceId, t.claim] }), index('lead_claims_claimed_at').on(t.claimedAt)],
)

/**
 * Addresses that were sent the welcome email, which happens once per address. Stored as hashes, so that they can outlive deleted patients.
 */
export const welcomedAddresses = pgTable('welcomed_addresses', {
  addressHash: text('address_hash').primaryKey(),
  welcomedAt: instant('welcomed_at').notNull(),
})
