import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { ReadRow, RowRules } from './reading/rows.ts'
import type { imports } from './table.ts'

export type Import = typeof imports.$inferSelect
export type Batch = { job: Import; rows: ReadRow[] }

/** A table that is imported into, with what words mean in this clinic at the moment. */
export type OpenTable = {
  /** How its rows are read. */
  rules: RowRules
  /** Tries one batch: counts what would become of its rows and notes what has to be said of them. Nothing else is written. */
  check: (tx: Db, batch: Batch) => Promise<void>
  /** Writes one batch, for anyone who acts in this scope. */
  run: (tx: Db, scope: Scope, batch: Batch) => Promise<void>
}

export type ImportTable = {
  /** Read once for a stretch of work. */
  open: (scope: Scope) => Promise<OpenTable>
  /** Once every row was tried. */
  endCheck: (tx: Db, job: Import) => Promise<void>
  /** Once the run is over, or was stopped. */
  endRun: (tx: Db, id: string) => Promise<void>
  /** Takes one batch back. Answers the row at which the next begins; null when there was none left. */
  undo: (tx: Db, scope: Scope, job: Import) => Promise<number | null>
}
