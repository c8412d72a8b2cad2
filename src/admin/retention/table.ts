import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { RetentionKind } from './rules.ts'

/** What is forgotten by itself; a kind that is missing is not. */
export const retentionRules = pgTable('retention_rules', {
  kind: text('kind').$type<RetentionKind>().primaryKey(),
  isOn: boolean('is_on').notNull(),
  days: integer('days').notNull(),
  lastRunAt: timestamp('last_run_at', { withTimezone: true, mode: 'date' }),
  lastCount: integer('last_count'),
})
