import { boolean, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import type { StageKind } from './contract.ts'

/** The steps of the sales funnel (spec 1, 3). `kind` carries the meaning, so that a stage may be renamed. */
export const funnelStages = pgTable(
  'funnel_stages',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    name: text('name').notNull(),
    /** The stage value that calls may use in place of the id, such as 'lead'. */
    value: text('value').notNull(),
    sortOrder: integer('sort_order').notNull(),
    kind: text('kind').$type<StageKind>().notNull().default('open'),
    /** Where a contact made from a lead begins. Exactly one stage has it. */
    isInitial: boolean('is_initial').notNull().default(false),
    /** One that is no longer used keeps the patients who stand in it, and is offered to no one else. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('funnel_stages_name').on(sql`lower(${t.name})`),
    uniqueIndex('funnel_stages_value').on(sql`lower(${t.value})`),
    uniqueIndex('funnel_stages_initial').on(t.isInitial).where(sql`${t.isInitial}`),
  ],
)
