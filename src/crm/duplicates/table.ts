import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { StoredReason } from './contract.ts'

/**
 * The queue of contacts added, changed or deleted since the last search for pairs; filled by triggers. Rows are inserted and deleted, never
 * updated.
 */
export const duplicateChecks = pgTable('duplicate_checks', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  patientId: uuid('patient_id').notNull(),
})

/**
 * Two patients who are possible duplicates, lesser id first. No foreign keys: a merged patient may be restored, and the dismissal of the
 * pair is kept.
 */
export const duplicatePairs = pgTable(
  'duplicate_pairs',
  {
    firstId: uuid('first_id').notNull(),
    secondId: uuid('second_id').notNull(),
    reasons: text('reasons').array().$type<StoredReason[]>().notNull(),
    /** The sum of its reasons: an email 4, the birth date of a similar name 3, a phone 2, a name 1. */
    weight: smallint('weight').notNull(),
    foundAt: instant('found_at').notNull().defaultNow(),
    /** When someone marked the pair as not a duplicate. */
    dismissedAt: instant('dismissed_at'),
    dismissedBy: uuid('dismissed_by').references(() => profiles.id),
  },
  (t) => [
    primaryKey({ columns: [t.firstId, t.secondId] }),
    index('duplicate_pairs_second').on(t.secondId),
    index('duplicate_pairs_open')
      .on(t.weight.desc(), t.foundAt.desc(), t.firstId, t.secondId)
      .where(sql`${t.dismissedAt} is null`),
    index('duplicate_pairs_dismissed')
      .on(t.dismissedAt.desc())
      .where(sql`${t.dismissedAt} is not null`),
  ],
)
