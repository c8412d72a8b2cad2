import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import type { Scope } from '../../server/scope.ts'
import { actorOf } from '../auth/service.ts'
import { apply, type Before, takeBack } from './apply.ts'
import { bulkChangeItems, bulkChanges, type ItemState } from './table.ts'

type Bulk = typeof bulkChanges.$inferSelect

export const setStatus = async (tx: Db, id: string, status: Bulk['status']) => {
  await tx.update(bulkChanges).set({ status }).where(eq(bulkChanges.id, id))
  await publish(tx, 'bulk-change', id)
}

const batchSize = 100

/** Does the work, or takes it back, batch by batch, each whole or not at all; a batch that a killed process had begun is done by the next. */
export async function runBulkChange(scope: Scope, id: string): Promise<void> {
  while (await scope.db.transaction((tx) => runBatch(tx, scope, id))) {
    // until nothing is left, or it was cancelled
  }
}

async function runBatch(tx: Db, system: Scope, id: string): Promise<boolean> {
  const [bulk] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id)).for('update')
  if (!bulk || (bulk.status !== 'running' && bulk.status !== 'undoing')) return false
  const actor = await actorOf(tx, bulk.createdBy)
  // Whoever has lost their account meanwhile changes nothing any more.
  if (actor?.status !== 'active') {
    await setStatus(tx, id, 'cancelled')
    return false
  }
  const scope = { ...system, actor }
  const items = await nextItems(tx, bulk)
  for (const { contactId, before } of items) {
    const set = (state: ItemState, was?: Before) =>
      tx
        .update(bulkChangeItems)
        .set({ state, ...(was ? { before: was } : {}) })
        .where(and(eq(bulkChangeItems.bulkChangeId, id), eq(bulkChangeItems.contactId, contactId)))
    if (bulk.status === 'running') {
      const was = await apply(tx, scope, bulk.change, contactId)
      await (was ? set('changed', was) : set('unchanged'))
    } else {
      await set((await takeBack(tx, scope, bulk.change, contactId, before!)) ? 'undone' : 'kept')
    }
  }
  const isOver = items.length < batchSize
  if (isOver) await setStatus(tx, id, bulk.status === 'running' ? 'done' : 'undone')
  else await publish(tx, 'bulk-change', id)
  return !isOver
}

/** In the order of their ids, as merges lock them, so that neither waits for the other for ever. */
const nextItems = (tx: Db, { id, status }: Bulk) =>
  tx
    .select()
    .from(bulkChangeItems)
    .where(and(eq(bulkChangeItems.bulkChangeId, id), eq(bulkChangeItems.state, status === 'running' ? 'waiting' : 'changed')))
    .orderBy(asc(bulkChangeItems.contactId))
    .limit(batchSize)
