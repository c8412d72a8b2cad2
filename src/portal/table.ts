import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Codes that were sent to patients, as keyed hashes. One that is used, outdated or tried too often is of no use. */
export const portalCodes = pgTable(
  'portal_codes',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** In lower case; the code is good for this address alone. */
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    /** No foreign key: a patient who is deleted or merged away is no longer found, and what was proven is void. */
    contactId: uuid('contact_id').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('portal_codes_email').on(t.email, t.createdAt)],
)

/** Patients who have proven who they are, for a while. The token itself is stored nowhere. */
export const portalSessions = pgTable(
  'portal_sessions',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    tokenHash: text('token_hash').notNull().unique(),
    contactId: uuid('contact_id').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [index('portal_sessions_contact').on(t.contactId), index('portal_sessions_created').on(t.createdAt)],
)
