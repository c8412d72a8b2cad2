import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import type { ViewedList } from './contract.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** What a list shows, under a name. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => profiles.id),
    name: text('name').notNull(),
    list: jsonb('list').$type<ViewedList>().notNull(),
    isShared: boolean('is_shared').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Kept for a while after it was deleted, so that this can be undone and its address stays the same. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [index('saved_views_owner').on(t.ownerId)],
)
