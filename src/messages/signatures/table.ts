import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import type { Language } from '../../shared/translations.ts'

/** What staff write under their emails, in each language. */
export const signatures = pgTable(
  'signatures',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    language: text('language').$type<Language>().notNull(),
    /** Sanitized. */
    html: text('html').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.language] })],
)
