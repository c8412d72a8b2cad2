import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { RetentionKind } from './rules.ts'

/** The rules for automatic deletion; a kind without a row is off. */
export const retentionRules = pgTable('retention_rules', {
  kind: text('kind').$type<RetentionKind>().primaryKey(),
  isOn: boolean('is_on').notNull(),
  days: integer('days').notNull(),
  lastRunAt: timestamp('last_run_at', { withTimezone: true, mode: 'date' }),
  lastCount: integer('last_count'),
})
