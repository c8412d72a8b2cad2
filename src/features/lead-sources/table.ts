import { boolean, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

/** Where leads come from. The webhook key is stored as a hash only: it is shown once, when it is made. */
export const leadSources = pgTable(
  'lead_sources',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    webhookKeyHash: text('webhook_key_hash').unique(),
    /** A browser form is sent here after its lead was taken. */
    thankYouUrl: text('thank_you_url'),
    /** Whether whoever is new by it is sent the template 'welcome_email'. */
    sendsWelcome: boolean('sends_welcome').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('lead_sources_name').on(sql`lower(${t.name})`)],
)
