import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ContactTable } from '../../kernel/patient-tables/rules.ts'

/** A row of contacts as PostgreSQL writes it in JSON, keyed by database column. */
export type StoredContact = Record<string, unknown>

/** Both contacts before the merge, the target after it, and the names of the procedures and sources they refer to. */
export type Snapshot = {
  source: StoredContact
  target: StoredContact
  merged: StoredContact
  procedures: Record<string, string>
  sources: Record<string, string>
}

/** A merge of one patient into another, with what the undo needs. No foreign keys: the source is deleted, and the target may be later. */
export const contactMerges = pgTable(
  'contact_merges',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    targetId: uuid('target_id').notNull(),
    sourceId: uuid('source_id').notNull(),
    /** Null once it is undone. */
    snapshot: jsonb('snapshot').$type<Snapshot>(),
    mergedBy: uuid('merged_by').references(() => profiles.id),
    mergedAt: instant('merged_at').notNull().defaultNow(),
    undoneBy: uuid('undone_by').references(() => profiles.id),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    index('contact_merges_target').on(t.targetId, t.mergedAt),
    index('contact_merges_source').on(t.sourceId),
    index('contact_merges_merged_at').on(t.mergedAt),
  ],
)

export type UndoableMerge = typeof contactMerges.$inferSelect & { snapshot: Snapshot }

/**
 * The rows that a merge moved to the target (in their state after the move), dropped because the target had an equal row (in their previous
 * state), or created itself.
 */
export const contactMergeRows = pgTable(
  'contact_merge_rows',
  {
    mergeId: uuid('merge_id')
      .notNull()
      .references(() => contactMerges.id, { onDelete: 'cascade' }),
    place: text('place').$type<ContactTable>().notNull(),
    kind: text('kind').$type<'moved' | 'dropped' | 'written'>().notNull(),
    row: jsonb('row').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [index('contact_merge_rows_merge').on(t.mergeId, t.place)],
)
