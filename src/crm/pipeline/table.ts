import { boolean, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { StageKind } from './contract.ts'

/** The stages of the sales funnel (spec 1, 3). Logic depends on `kind`, so that stages can be renamed. */
export const funnelStages = pgTable(
  'funnel_stages',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** A stable key that API calls may use instead of the id, such as 'lead'. */
    value: text('value').notNull(),
    sortOrder: integer('sort_order').notNull(),
    kind: text('kind').$type<StageKind>().notNull().default('open'),
    /** Whether contacts created from leads start here. True for exactly one stage. */
    isInitial: boolean('is_initial').notNull().default(false),
    /** An inactive stage keeps its patients and accepts no others. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('funnel_stages_name').on(sql`lower(${t.name})`),
    uniqueIndex('funnel_stages_value').on(sql`lower(${t.value})`),
    uniqueIndex('funnel_stages_initial')
      .on(t.isInitial)
      .where(sql`${t.isInitial}`),
  ],
)
