import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { moveTables } from './apply.ts'
import { type BulkChange, type BulkProgress, undoHours } from './contract.ts'
import { changeInBulk } from './jobs.ts'
import { bulkChanges } from './table.ts'

/** Starts a bulk change in the caller's transaction. The caller has checked permissions. `contactIds`: a query for the patients' ids. */
export async function beginBulkChange(tx: Db, scope: Scope, contactIds: SQL, change: BulkChange): Promise<BulkProgress> {
  const id = uuidv7()
  await tx.insert(bulkChanges).values({ id, change, total: 0, createdBy: staff(scope).id, createdAt: scope.now() })
  const items = await tx.execute(
    sql`
      insert into bulk_change_items (bulk_change_id, contact_id)
      select distinct ${id}::uuid, id from contacts where id in (${contactIds})`,
  )
  await tx
    .update(bulkChanges)
    .set({ total: items.rowCount ?? 0 })
    .where(eq(bulkChanges.id, id))
  await enqueue(tx, changeInBulk, { id }, id)
  return progressOf(tx, scope, id)
}

/** How many patients running changes have yet to move to this stage, lead source or procedure. Null if no change is running. */
export async function countMovingTo(tx: Db, id: string): Promise<number | null> {
  const [found] = await tx
    .select({ remaining: sql<number | null>`sum(${bulkChanges.total} - ${bulkChanges.changed} - ${bulkChanges.unchanged})::int` })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.status, 'running'), sql`coalesce(${bulkChanges.change}->>'stageId', ${bulkChanges.change}->>'to') = ${id}`))
  return found?.remaining ?? null
}

/** Whether a running change is moving patients out of this lead source or procedure. */
export async function isMovingFrom(tx: Db, id: string): Promise<boolean> {
  const isMoving = and(eq(bulkChanges.status, 'running'), sql`${bulkChanges.change}->>'from' = ${id}`)
  return (await tx.$count(bulkChanges, isMoving)) > 0
}

/** The progress of a bulk change. */
export async function progressOf(tx: Db, scope: Scope, id: string): Promise<BulkProgress> {
  const [bulk] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id))
  return { ...bulk!, canUndo: await canUndo(tx, scope, bulk!) }
}

/** Whether a change can be undone, now or once it has finished. Undoing a move requires that its source still exists. */
export async function canUndo(tx: Db, scope: Scope, bulk: typeof bulkChanges.$inferSelect): Promise<boolean> {
  if (!isUndoable(scope, bulk)) return false
  if (!('from' in bulk.change)) return true
  const { kind, from } = bulk.change
  const table = moveTables[kind]
  return (await tx.$count(table, eq(table.id, from))) > 0
}

/** Whether the undo data is still available: deletions keep theirs for `undoHours`, permanent deletions keep none. */
export function isUndoable(scope: Scope, { change, createdAt, status }: typeof bulkChanges.$inferSelect): boolean {
  if (status === 'undone') return false
  return change.kind !== 'delete' || (!change.forGood && createdAt.getTime() + undoHours * 3600_000 > scope.now().getTime())
}
