import { bigint, boolean, check, date, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { FieldMap } from './rules.ts'

/** Where leads come from. Only a hash of the webhook key is stored: the key is shown once, when it is created. */
export const leadSources = pgTable(
  'lead_sources',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    webhookKeyHash: text('webhook_key_hash').unique(),
    /** Browsers are redirected here after submitting a form. */
    thankYouUrl: text('thank_you_url'),
    /** Whether a new lead from this source is sent the template 'welcome_email' (spec 9). */
    sendsWelcome: boolean('sends_welcome').notNull().default(true),
    /** The field mapping that staff set for this source's forms. Names are those of `receivedFields` (leads/shapes.ts). */
    fieldMap: jsonb('field_map').$type<FieldMap>().notNull().default({}),
    /** A retired source is no longer offered. Patients and forms that use it keep it. */
    isActive: boolean('is_active').notNull().default(true),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('lead_sources_name').on(sql`lower(${t.name})`)],
)

/** What the practice spent on a source in a month, in cents. A month without a row has no amount; 0 is one. */
export const sourceSpend = pgTable(
  'source_spend',
  {
    sourceId: uuid('source_id')
      .notNull()
      .references(() => leadSources.id),
    /** Its first day. */
    month: date('month', { mode: 'string' }).notNull(),
    cents: bigint('cents', { mode: 'number' }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sourceId, t.month] }),
    check('source_spend_month', sql`extract(day from ${t.month}) = 1`),
    check('source_spend_cents', sql`${t.cents} >= 0`),
  ],
)
