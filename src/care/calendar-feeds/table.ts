import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'

/** Hashed secrets of the links to providers' calendars; at most one per provider. */
export const calendarFeeds = pgTable('calendar_feeds', {
  profileId: uuid('profile_id')
    .primaryKey()
    .references(() => profiles.id),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: instant('created_at').notNull(),
  readAt: instant('read_at'),
})
