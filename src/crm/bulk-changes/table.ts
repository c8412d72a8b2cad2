import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import type { BulkChange, BulkStatus } from './contract.ts'

/** A bulk change as requested. */
export const bulkChanges = pgTable(
  'bulk_changes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    change: jsonb('change').$type<BulkChange>().notNull(),
    status: text('status').$type<BulkStatus>().notNull().default('running'),
    total: integer('total').notNull(),
    /** Counts of patients by state, updated with each batch. Patients counted in `undone` or `kept` stay counted in `changed`. */
    changed: integer('changed').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    undone: integer('undone').notNull().default(0),
    kept: integer('kept').notNull().default(0),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [index('bulk_changes_created_by').on(t.createdBy, t.createdAt.desc())],
)

export type ItemState = 'waiting' | 'changed' | 'unchanged' | 'undone' | 'kept'

/**
 * One patient of a bulk change and the previous value. No foreign key: the patient may be deleted or merged before the change has finished.
 */
export const bulkChangeItems = pgTable(
  'bulk_change_items',
  {
    bulkChangeId: uuid('bulk_change_id')
      .notNull()
      .references(() => bulkChanges.id, { onDelete: 'cascade' }),
    contactId: uuid('contact_id').notNull(),
    state: text('state').$type<ItemState>().notNull().default('waiting'),
    before: jsonb('before').$type<{ value: string | null; lostReason?: string | null }>(),
  },
  (t) => [
    primaryKey({ columns: [t.bulkChangeId, t.contactId] }),
    index('bulk_change_items_state').on(t.bulkChangeId, t.state, t.contactId),
  ],
)
