import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { actorOf } from '../../platform/auth/service.ts'
import { deleteContacts, restoreContacts } from '../contacts/service.ts'
import { apply, type Before, revert } from './apply.ts'
import { mayMake } from './policy.ts'
import { bulkChangeItems, bulkChanges, type ItemState } from './table.ts'

type Bulk = typeof bulkChanges.$inferSelect
type Item = typeof bulkChangeItems.$inferSelect
/** The result for one patient, and the previous value for undo. */
type Outcome = { contactId: string; state: ItemState; before?: Before }

export const setStatus = async (tx: Db, id: string, status: Bulk['status']) => {
  await tx.update(bulkChanges).set({ status }).where(eq(bulkChanges.id, id))
  await publish(tx, 'bulk-change', id)
}

const batchSize = 100

/**
 * Runs or undoes the change in batches, each in its own transaction. If the process is killed, the next run repeats the unfinished batch.
 */
export async function runBulkChange(scope: Scope, id: string): Promise<void> {
  while (await scope.db.transaction((tx) => runBatch(tx, scope, id))) {
    // until no items are left, or the change was cancelled
  }
}

async function runBatch(tx: Db, system: Scope, id: string): Promise<boolean> {
  const [bulk] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id)).for('update')
  if (!bulk || (bulk.status !== 'running' && bulk.status !== 'undoing')) return false
  const actor = await actorOf(tx, bulk.createdBy)
  // Someone who has lost their account or their role since then changes nothing further.
  if (actor?.status !== 'active' || !mayMake(actor, bulk.change)) {
    await setStatus(tx, id, 'cancelled')
    return false
  }
  const scope = { ...system, actor }
  const items = await nextItems(tx, bulk)
  await saveOutcomes(tx, id, await (bulk.status === 'running' ? applyEach : revertEach)(tx, scope, bulk, items))
  const isDone = items.length < batchSize
  if (isDone) await setStatus(tx, id, bulk.status === 'running' ? 'done' : 'undone')
  else await publish(tx, 'bulk-change', id)
  return !isDone
}

async function applyEach(tx: Db, scope: Scope, { id, change }: Bulk, items: readonly Item[]): Promise<Outcome[]> {
  if (change.kind === 'delete') {
    const deleted = new Set(await deleteContacts(tx, scope, idsOf(items), change.forGood ? null : id))
    return items.map(({ contactId }) => ({ contactId, state: deleted.has(contactId) ? 'changed' : 'unchanged' }))
  }
  const outcomes: Outcome[] = []
  for (const { contactId } of items) {
    const before = await apply(tx, scope, change, contactId)
    outcomes.push(before ? { contactId, state: 'changed', before } : { contactId, state: 'unchanged' })
  }
  return outcomes
}

async function revertEach(tx: Db, scope: Scope, { id, change }: Bulk, items: readonly Item[]): Promise<Outcome[]> {
  if (change.kind === 'delete') {
    const restored = new Set(await restoreContacts(tx, scope, id, idsOf(items)))
    return items.map(({ contactId }) => ({ contactId, state: restored.has(contactId) ? 'undone' : 'kept' }))
  }
  const outcomes: Outcome[] = []
  for (const { contactId, before } of items) {
    outcomes.push({ contactId, state: (await revert(tx, scope, change, contactId, before!)) ? 'undone' : 'kept' })
  }
  return outcomes
}

const idsOf = (items: readonly Item[]): string[] => items.map(({ contactId }) => contactId)

/** Saves each patient's outcome and adds it to the totals, from which progress is read. */
async function saveOutcomes(tx: Db, id: string, outcomes: readonly Outcome[]): Promise<void> {
  await tx.execute(sql`
    update bulk_change_items as item set state = outcome.state, before = coalesce(outcome.before, item.before)
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as outcome("contactId" uuid, state text, before jsonb)
    where item.bulk_change_id = ${id} and item.contact_id = outcome."contactId"`)
  const increased = (state: Exclude<ItemState, 'waiting'>) =>
    sql`${bulkChanges[state]} + ${outcomes.filter((outcome) => outcome.state === state).length}::int`
  await tx
    .update(bulkChanges)
    .set({ changed: increased('changed'), unchanged: increased('unchanged'), undone: increased('undone'), kept: increased('kept') })
    .where(eq(bulkChanges.id, id))
}

/** In id order, the order in which merges lock patients, so that the two can't deadlock. */
const nextItems = (tx: Db, { id, status }: Bulk) =>
  tx
    .select()
    .from(bulkChangeItems)
    .where(and(eq(bulkChangeItems.bulkChangeId, id), eq(bulkChangeItems.state, status === 'running' ? 'waiting' : 'changed')))
    .orderBy(asc(bulkChangeItems.contactId))
    .limit(batchSize)
