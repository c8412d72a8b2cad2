import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import { actorOf } from '../../platform/auth/service.ts'
import { announce } from './rows/announce.ts'
import type { ImportStatus } from './contract.ts'
import type { Import, OpenTable } from './import-table.ts'
import { type ReadRow, rowReader } from './reading/rows.ts'
import { calmSearchIndex, quickenSearchIndex } from './search-index.ts'
import { importBatches, imports } from './table.ts'
import { importTables } from './tables.ts'

/** How long a job works at a stretch, in milliseconds; then it makes room for others, and for a process that is to stop. */
const stretch = 5_000

/**
 * Checks an import, runs it or takes it back, as its status says, batch by batch. Each batch is a transaction of its own which also notes how
 * far it has come: what a killed process had begun is done by the next, and nothing is done twice. True while something is left.
 */
export async function workOn(scope: Scope, id: string): Promise<boolean> {
  const until = performance.now() + stretch
  const [job] = await scope.db.select({ kind: imports.kind }).from(imports).where(eq(imports.id, id))
  if (!job) return false
  const hasIndex = job.kind === 'patients'
  if (hasIndex) await quickenSearchIndex(scope, id)
  const batches = batchReader(scope, id, await importTables[job.kind].open(scope))
  let isLeft = true
  // Searches are to read no long list of what is still to be sorted in: that of one batch is, while the next is done.
  const settle = async () => hasIndex && scope.db.execute(sql`select settle_contact_search()`)
  while (isLeft && performance.now() < until) {
    ;[isLeft] = await Promise.all([scope.db.transaction((tx) => nextBatch(tx, scope, id, batches)), settle()])
  }
  await settle()
  if (!isLeft && hasIndex) await calmSearchIndex(scope)
  return isLeft
}

/** What a piece of work leads to when it is over, and when the person who asked for it may no longer do it. */
const ends: Partial<Record<ImportStatus, { over: ImportStatus; stopped: ImportStatus }>> = {
  checking: { over: 'checked', stopped: 'mapping' },
  running: { over: 'done', stopped: 'cancelled' },
  undoing: { over: 'undone', stopped: 'cancelled' },
}

async function nextBatch(tx: Db, system: Scope, id: string, batches: BatchReader): Promise<boolean> {
  await tx.execute(sql`set local gin_pending_list_limit = '256MB'`) // a batch's entries are sorted in together, after it
  const [job] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  const end = job && ends[job.status]
  if (!end) return false
  const actor = await actorOf(tx, job.askedBy)
  const scope = { ...system, actor }
  const isAllowed = mayUse(permissions['imports.run'], actor)
  const nextRow = isAllowed ? await doBatch(tx, scope, job, batches) : null
  if (nextRow === null && isAllowed && job.status === 'checking') await importTables[job.kind].endCheck(tx, job)
  if (nextRow === null && job.status === 'running') await importTables[job.kind].endRun(tx, id)
  const set = nextRow === null ? { status: isAllowed ? end.over : end.stopped, nextRow: 0 } : { nextRow }
  await tx.update(imports).set(set).where(eq(imports.id, id))
  await announce(tx, job)
  return nextRow !== null
}

/** Does one batch. Answers the row at which the next begins; null when there was none left. */
async function doBatch(tx: Db, scope: Scope, job: Import, batches: BatchReader): Promise<number | null> {
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

/** Reads batch after batch, each while the one before it is being done. What words mean is read once: a stretch of work is short. */
function batchReader({ db }: Scope, id: string, table: OpenTable): BatchReader {
  let ahead: { row: number; batch: Promise<ReadBatch | null> } | null = null

  async function load({ columns }: Import, row: number): Promise<ReadBatch | null> {
    const [batch] = await db
      .select()
      .from(importBatches)
      .where(and(eq(importBatches.importId, id), gte(importBatches.firstRow, row)))
      .orderBy(asc(importBatches.firstRow))
      .limit(1)
    if (!batch) return null
    const read = rowReader(columns, table.rules)
    return { firstRow: batch.firstRow, rows: batch.rows.map(([number, cells]) => read(number, cells)) }
  }

  return {
    table,
    async from(job, row) {
      const batch = await (ahead?.row === row ? ahead.batch : load(job, row))
      ahead = batch && { row: batch.firstRow + 1, batch: load(job, batch.firstRow + 1) }
      ahead?.batch.catch(() => {}) // anyone who comes to it meets the failure
      return batch
    },
  }
}
