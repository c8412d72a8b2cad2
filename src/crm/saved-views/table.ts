import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ViewedList } from './contract.ts'

/** Named list parameters. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => profiles.id),
    name: text('name').notNull(),
    list: jsonb('list').$type<ViewedList>().notNull(),
    isShared: boolean('is_shared').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Deleted views are kept for a while, so that they can be restored with the same id. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [index('saved_views_owner').on(t.ownerId)],
)
