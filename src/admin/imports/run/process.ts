import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { givingWay, isCrowded } from '../../../kernel/give-way.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { mayUse, permissions } from '../../../kernel/access/policy.ts'
import { actorOf } from '../../../platform/auth/service.ts'
import { publishProgress } from '../rows/publish-progress.ts'
import type { ImportStatus } from '../contract.ts'
import type { Import, OpenTable } from '../import-table.ts'
import { type ReadRow, createRowReader } from '../reading/rows.ts'
import { restoreSearchIndex, speedUpSearchIndex } from './search-index.ts'
import { importBatches, imports } from '../table.ts'
import { importTables } from '../tables.ts'

/** How long one job runs before it yields to others and to a shutdown. */
const maxDurationMs = 5_000

/**
 * Checks, runs or undoes an import, depending on its status, batch by batch. Each batch is a transaction that also stores the progress, so
 * that another process can continue after a crash and nothing is processed twice. Returns true while there is more to do.
 */
export async function processImport(scope: Scope, id: string): Promise<boolean> {
  const until = performance.now() + maxDurationMs
  const [job] = await scope.db.select({ kind: imports.kind }).from(imports).where(eq(imports.id, id))
  if (!job) return false
  const hasIndex = job.kind === 'patients'
  if (hasIndex) await speedUpSearchIndex(scope, id)
  const batches = createBatchReader(scope, id, await importTables[job.kind].open(scope))
  let hasMore = true
  // Keep the index's pending list short for searches: merge the entries of one batch while the next is processed.
  const cleanPendingList = async () => hasIndex && scope.db.execute(sql`select clean_contact_search()`)
  while (hasMore && performance.now() < until) {
    ;[hasMore] = await givingWay(() =>
      Promise.all([scope.db.transaction((tx) => processNextBatch(tx, scope, id, batches)), cleanPendingList()]),
    )
  }
  await cleanPendingList()
  if (!hasMore && hasIndex) await restoreSearchIndex(scope)
  return hasMore
}

/** The status after a step is complete, and after it is stopped because the user no longer has the permission. */
const finalStatuses: Partial<Record<ImportStatus, { over: ImportStatus; stopped: ImportStatus }>> = {
  checking: { over: 'checked', stopped: 'mapping' },
  running: { over: 'done', stopped: 'cancelled' },
  undoing: { over: 'undone', stopped: 'cancelled' },
}

async function processNextBatch(tx: Db, system: Scope, id: string, batches: BatchReader): Promise<boolean> {
  // The index entries of a batch are merged together, after it; while people search, in small portions, because each search reads what is pending.
  await tx.execute(sql`select set_config('gin_pending_list_limit', ${isCrowded() ? '64kB' : '256MB'}, true)`)
  const [job] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  const end = job && finalStatuses[job.status]
  if (!end) return false
  const actor = await actorOf(tx, job.askedBy)
  const scope = { ...system, actor }
  const isAllowed = mayUse(permissions['imports.run'], actor)
  const nextRow = isAllowed ? await processBatch(tx, scope, job, batches) : null
  if (nextRow === null && isAllowed && job.status === 'checking') await importTables[job.kind].endCheck(tx, job)
  if (nextRow === null && job.status === 'running') await importTables[job.kind].endRun(tx, id)
  const set = nextRow === null ? { status: isAllowed ? end.over : end.stopped, nextRow: 0 } : { nextRow }
  await tx.update(imports).set(set).where(eq(imports.id, id))
  await publishProgress(tx, job)
  return nextRow !== null
}

/** Processes one batch. Returns the first row of the next; null if none was left. */
async function processBatch(tx: Db, scope: Scope, job: Import, batches: BatchReader): Promise<number | null> {
  if (job.status === 'undoing') return importTables[job.kind].undo(tx, scope, job)
  const { table } = batches
  const batch = await batches.from(job, job.nextRow)
  if (!batch) return null
  if (job.status === 'checking') await table.check(tx, { job, rows: batch.rows })
  else await table.run(tx, scope, { job, rows: batch.rows })
  return batch.firstRow + 1
}

type BatchReader = { table: OpenTable; from: (job: Import, row: number) => Promise<ReadBatch | null> }
type ReadBatch = { firstRow: number; rows: ReadRow[] }

/** Reads batches, prefetching the next while one is processed. Names are resolved once per job, because a job is short. */
function createBatchReader({ db }: Scope, id: string, table: OpenTable): BatchReader {
  let prefetched: { row: number; batch: Promise<ReadBatch | null> } | null = null

  async function load({ columns }: Import, row: number): Promise<ReadBatch | null> {
    const [batch] = await db
      .select()
      .from(importBatches)
      .where(and(eq(importBatches.importId, id), gte(importBatches.firstRow, row)))
      .orderBy(asc(importBatches.firstRow))
      .limit(1)
    if (!batch) return null
    const read = createRowReader(columns, table.rules)
    return { firstRow: batch.firstRow, rows: batch.rows.map(([number, cells]) => read(number, cells)) }
  }

  return {
    table,
    async from(job, row) {
      const batch = await (prefetched?.row === row ? prefetched.batch : load(job, row))
      prefetched = batch && { row: batch.firstRow + 1, batch: load(job, batch.firstRow + 1) }
      prefetched?.batch.catch(() => {}) // the error is thrown when the batch is awaited
      return batch
    },
  }
}
