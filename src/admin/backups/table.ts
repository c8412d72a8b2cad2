import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { BackupRunKind } from './contract.ts'

/** Backups and drills that ended, and when the log was archived last (one row). What is in a backup is said by its manifest. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    kind: text('kind').$type<BackupRunKind>().notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true, mode: 'date' }).notNull(),
    isOk: boolean('is_ok').notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [check('backup_runs_kind', sql`${t.kind} in ('backup', 'drill', 'archive')`), index('backup_runs_ended').on(t.kind, t.endedAt)],
)
