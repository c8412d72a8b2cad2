import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { TabletEnding, TabletItem } from './rules.ts'

/**
 * A tablet given to one patient for a few things to do. Not rows of `portal_sessions`, so that a call which does not ask for a tablet's
 * session finds none.
 */
export const tabletSessions = pgTable(
  'tablet_sessions',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** Not a foreign key: after a deletion or merge the patient is no longer found, which ends the session. */
    contactId: uuid('contact_id').notNull(),
    items: jsonb('items').$type<TabletItem[]>().notNull(),
    openedBy: uuid('opened_by')
      .notNull()
      .references(() => profiles.id),
    openedAt: instant('opened_at').notNull(),
    /** Keyed hash of the pairing code. */
    codeHash: text('code_hash').notNull(),
    codeExpiresAt: instant('code_expires_at').notNull(),
    /** No longer counted, because a wrong code is no one's. To be removed one release later. */
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** When the code was entered, which works once. */
    pairedAt: instant('paired_at'),
    /** Hash of the session's token. */
    tokenHash: text('token_hash').unique(),
    lastSeenAt: instant('last_seen_at'),
    endedAt: instant('ended_at'),
    endedBy: text('ended_by').$type<TabletEnding>(),
  },
  (t) => [
    check(
      'tablet_sessions_paired',
      sql`(${t.pairedAt} is null) = (${t.tokenHash} is null) and (${t.pairedAt} is null) = (${t.lastSeenAt} is null)`,
    ),
    check('tablet_sessions_ended', sql`(${t.endedAt} is null) = (${t.endedBy} is null)`),
    index('tablet_sessions_contact').on(t.contactId, t.openedAt),
    index('tablet_sessions_opened').on(t.openedAt),
  ],
)
