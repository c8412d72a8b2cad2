import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { movedBetween } from './apply.ts'
import { type BulkChange, type BulkProgress, undoHours } from './contract.ts'
import { changeInBulk } from './jobs.ts'
import { bulkChanges } from './table.ts'

/** Begins a change in the transaction of the caller, which has checked that it is allowed. `chosen`: a query for the patients' ids. */
export async function beginBulkChange(tx: Db, scope: Scope, chosen: SQL, change: BulkChange): Promise<BulkProgress> {
  const id = uuidv7()
  await tx.insert(bulkChanges).values({ id, change, total: 0, createdBy: staff(scope).id, createdAt: scope.now() })
  const items = await tx.execute(
    sql`insert into bulk_change_items (bulk_change_id, contact_id) select distinct ${id}::uuid, id from contacts where id in (${chosen})`,
  )
  await tx
    .update(bulkChanges)
    .set({ total: items.rowCount ?? 0 })
    .where(eq(bulkChanges.id, id))
  await enqueue(tx, changeInBulk, { id }, id)
  return progressOf(tx, scope, id)
}

/** How many patients are still to be moved to this stage, lead source or procedure by changes that are under way; null: there are none. */
export async function countMovingTo(tx: Db, id: string): Promise<number | null> {
  const [found] = await tx
    .select({ left: sql<number | null>`sum(${bulkChanges.total} - ${bulkChanges.changed} - ${bulkChanges.unchanged})::int` })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.status, 'running'), sql`coalesce(${bulkChanges.change}->>'stageId', ${bulkChanges.change}->>'to') = ${id}`))
  return found?.left ?? null
}

/** Whether a running change is moving patients out of this lead source or procedure. */
export async function isMovingFrom(tx: Db, id: string): Promise<boolean> {
  const isOut = and(eq(bulkChanges.status, 'running'), sql`${bulkChanges.change}->>'from' = ${id}`)
  return (await tx.$count(bulkChanges, isOut)) > 0
}

/** How far a change has come. */
export async function progressOf(tx: Db, scope: Scope, id: string): Promise<BulkProgress> {
  const [bulk] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id))
  return { ...bulk!, canUndo: await canUndo(tx, scope, bulk!) }
}

/** Whether a change can be undone, or still can be once it is over. A move needs the place that it moved patients from. */
export async function canUndo(tx: Db, scope: Scope, bulk: typeof bulkChanges.$inferSelect): Promise<boolean> {
  if (!isUndoable(scope, bulk)) return false
  if (!('from' in bulk.change)) return true
  const { kind, from } = bulk.change
  const table = movedBetween[kind]
  return (await tx.$count(table, eq(table.id, from))) > 0
}

/** A deletion's undo needs what was kept for it: nothing is permanently, and everything else for some hours. */
export function isUndoable(scope: Scope, { change, createdAt, status }: typeof bulkChanges.$inferSelect): boolean {
  if (status === 'undone') return false
  return change.kind !== 'delete' || (!change.forGood && createdAt.getTime() + undoHours * 3600_000 > scope.now().getTime())
}
