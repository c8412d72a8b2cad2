import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { ReadRow, RowRules } from './reading/rows.ts'
import type { imports } from './table.ts'

export type Import = typeof imports.$inferSelect
export type Batch = { job: Import; rows: ReadRow[] }

/** A kind of import, ready to process rows with the clinic's current names for stages, people and so on. */
export type OpenTable = {
  /** How to parse its rows. */
  rules: RowRules
  /** Checks one batch: counts its rows by outcome and records findings. Writes nothing else. */
  check: (tx: Db, batch: Batch) => Promise<void>
  /** Imports one batch on behalf of the scope's actor. */
  run: (tx: Db, scope: Scope, batch: Batch) => Promise<void>
}

export type ImportTable = {
  /** Called once per job run. */
  open: (scope: Scope) => Promise<OpenTable>
  /** Called after all rows were checked. */
  endCheck: (tx: Db, job: Import) => Promise<void>
  /** Called when the run is complete or was stopped. */
  endRun: (tx: Db, id: string) => Promise<void>
  /** Undoes one batch. Returns the first row of the next batch; null if none was left. */
  undo: (tx: Db, scope: Scope, job: Import) => Promise<number | null>
}
