import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { actorOf } from '../../platform/auth/service.ts'
import { deleteContacts, restoreContacts } from '../contacts/service.ts'
import { apply, type Before, takeBack } from './apply.ts'
import { mayMake } from './policy.ts'
import { bulkChangeItems, bulkChanges, type ItemState } from './table.ts'

type Bulk = typeof bulkChanges.$inferSelect
type Item = typeof bulkChangeItems.$inferSelect
/** What became of one patient, and what is needed to take it back. */
type Outcome = { contactId: string; state: ItemState; before?: Before }

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
  // Anyone who has lost their account or their role in the meantime changes nothing any more.
  if (actor?.status !== 'active' || !mayMake(actor, bulk.change)) {
    await setStatus(tx, id, 'cancelled')
    return false
  }
  const scope = { ...system, actor }
  const items = await nextItems(tx, bulk)
  await keepOutcomes(tx, id, await (bulk.status === 'running' ? changeEach : takeEachBack)(tx, scope, bulk, items))
  const isOver = items.length < batchSize
  if (isOver) await setStatus(tx, id, bulk.status === 'running' ? 'done' : 'undone')
  else await publish(tx, 'bulk-change', id)
  return !isOver
}

async function changeEach(tx: Db, scope: Scope, { id, change }: Bulk, items: readonly Item[]): Promise<Outcome[]> {
  if (change.kind === 'delete') {
    const gone = new Set(await deleteContacts(tx, scope, idsOf(items), change.forGood ? null : id))
    return items.map(({ contactId }) => ({ contactId, state: gone.has(contactId) ? 'changed' : 'unchanged' }))
  }
  const outcomes: Outcome[] = []
  for (const { contactId } of items) {
    const before = await apply(tx, scope, change, contactId)
    outcomes.push(before ? { contactId, state: 'changed', before } : { contactId, state: 'unchanged' })
  }
  return outcomes
}

async function takeEachBack(tx: Db, scope: Scope, { id, change }: Bulk, items: readonly Item[]): Promise<Outcome[]> {
  if (change.kind === 'delete') {
    const back = new Set(await restoreContacts(tx, scope, id, idsOf(items)))
    return items.map(({ contactId }) => ({ contactId, state: back.has(contactId) ? 'undone' : 'kept' }))
  }
  const outcomes: Outcome[] = []
  for (const { contactId, before } of items) {
    outcomes.push({ contactId, state: (await takeBack(tx, scope, change, contactId, before!)) ? 'undone' : 'kept' })
  }
  return outcomes
}

const idsOf = (items: readonly Item[]): string[] => items.map(({ contactId }) => contactId)

/** Of each patient and in sum: how far it has come is read from the sums. */
async function keepOutcomes(tx: Db, id: string, outcomes: readonly Outcome[]): Promise<void> {
  await tx.execute(sql`
    update bulk_change_items as item set state = outcome.state, before = coalesce(outcome.before, item.before)
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as outcome("contactId" uuid, state text, before jsonb)
    where item.bulk_change_id = ${id} and item.contact_id = outcome."contactId"`)
  const more = (state: Exclude<ItemState, 'waiting'>) =>
    sql`${bulkChanges[state]} + ${outcomes.filter((outcome) => outcome.state === state).length}::int`
  await tx
    .update(bulkChanges)
    .set({ changed: more('changed'), unchanged: more('unchanged'), undone: more('undone'), kept: more('kept') })
    .where(eq(bulkChanges.id, id))
}

/** In the order of their ids, as merges lock them, so that neither waits for the other for ever. */
const nextItems = (tx: Db, { id, status }: Bulk) =>
  tx
    .select()
    .from(bulkChangeItems)
    .where(and(eq(bulkChangeItems.bulkChangeId, id), eq(bulkChangeItems.state, status === 'running' ? 'waiting' : 'changed')))
    .orderBy(asc(bulkChangeItems.contactId))
    .limit(batchSize)
