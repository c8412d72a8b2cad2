import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import type { Scope } from '../../server/scope.ts'
import { mayUse, permissions } from '../access/policy.ts'
import { actorOf } from '../auth/service.ts'
import { checkBatch, endCheck } from './check.ts'
import type { ImportStatus } from './contract.ts'
import { rowReader } from './rows.ts'
import { runBatch } from './run.ts'
import { calmSearchIndex, quickenSearchIndex } from './search-index.ts'
import { importBatches, imports } from './table.ts'
import { undoBatch } from './undo.ts'
import { readVocabulary } from './vocabulary.ts'

type Import = typeof imports.$inferSelect

/** How long a job works at a stretch, in milliseconds; then it makes room for others, and for a process that is to stop. */
const stretch = 5_000

/**
 * Checks an import, runs it or takes it back, as its status says, batch by batch. Each batch is a transaction of its own which also notes how
 * far it has come: what a killed process had begun is done by the next, and nothing is done twice. True while something is left.
 */
export async function workOn(scope: Scope, id: string): Promise<boolean> {
  const until = performance.now() + stretch
  await quickenSearchIndex(scope, id)
  let isLeft = true
  while (isLeft && performance.now() < until) {
    isLeft = await scope.db.transaction((tx) => nextBatch(tx, scope, id))
    await scope.db.execute(sql`select settle_contact_search()`) // so that searches read no long list of what is still to be sorted in
  }
  if (!isLeft) await calmSearchIndex(scope)
  return isLeft
}

/** What a piece of work leads to when it is over, and when whoever asked for it may no longer do it. */
const ends: Partial<Record<ImportStatus, { over: ImportStatus; stopped: ImportStatus }>> = {
  checking: { over: 'checked', stopped: 'mapping' },
  running: { over: 'done', stopped: 'cancelled' },
  undoing: { over: 'undone', stopped: 'cancelled' },
}

async function nextBatch(tx: Db, system: Scope, id: string): Promise<boolean> {
  await tx.execute(sql`set local gin_pending_list_limit = '256MB'`) // a batch's entries are sorted in together, after it
  const [job] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  const end = job && ends[job.status]
  if (!end) return false
  const actor = await actorOf(tx, job.askedBy)
  const scope = { ...system, actor }
  const isAllowed = mayUse(permissions['imports.run'], actor)
  const nextRow = isAllowed ? await doBatch(tx, scope, job) : null
  if (nextRow === null && isAllowed && job.status === 'checking') await endCheck(tx, id)
  const set = nextRow === null ? { status: isAllowed ? end.over : end.stopped, nextRow: 0 } : { nextRow }
  await tx.update(imports).set(set).where(eq(imports.id, id))
  await publish(tx, 'import', id)
  return nextRow !== null
}

/** Does one batch. Answers the row at which the next begins; null when there was none left. */
async function doBatch(tx: Db, scope: Scope, job: Import): Promise<number | null> {
  if (job.status === 'undoing') return undoBatch(tx, scope, job)
  const [batch] = await tx
    .select()
    .from(importBatches)
    .where(and(eq(importBatches.importId, job.id), gte(importBatches.firstRow, job.nextRow)))
    .orderBy(asc(importBatches.firstRow))
    .limit(1)
  if (!batch) return null
  const vocabulary = await readVocabulary(tx)
  const read = rowReader(job.columns, vocabulary, scope.env.PRACTICE_TIME_ZONE)
  const rows = batch.rows.map(([row, cells]) => read(row, cells))
  if (job.status === 'checking') await checkBatch(tx, { job, rows, vocabulary })
  else await runBatch(tx, scope, { job, rows, vocabulary })
  return batch.firstRow + 1
}
