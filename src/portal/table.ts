import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../kernel/postgres/columns.ts'

/** Keyed hashes of the codes sent to patients. A code that was used, has expired or was tried too often no longer works. */
export const portalCodes = pgTable(
  'portal_codes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** In lower case. The code only works for this address. */
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    /** Not a foreign key: after a deletion or merge the patient is no longer found, which voids the code. */
    contactId: uuid('contact_id').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('portal_codes_email').on(t.email, t.createdAt)],
)

/** Sessions of verified patients. Only the token's hash is stored. */
export const portalSessions = pgTable(
  'portal_sessions',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    tokenHash: text('token_hash').notNull().unique(),
    contactId: uuid('contact_id').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [index('portal_sessions_contact').on(t.contactId), index('portal_sessions_created').on(t.createdAt)],
)
