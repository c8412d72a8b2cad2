import { and, desc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../server/database.ts'
import { enqueue } from '../../server/jobs.ts'
import { type Scope, staff } from '../../server/scope.ts'
import { recordChange } from '../audit/service.ts'
import { matchingContacts, owingAmong, problemOfAssignee, problemOfReason } from '../contacts/service.ts'
import { assignableRoles } from '../contacts/rules.ts'
import { deletedContactRows } from '../contacts/table.ts'
import { findOfferedStage } from '../pipeline/service.ts'
import { tags } from '../tags/table.ts'
import { type BulkChange, type BulkProgress, recentMinutes, type Selection, undoHours } from './contract.ts'
import { changeInBulk } from './jobs.ts'
import { mayMake } from './policy.ts'
import { setStatus } from './run.ts'
import { bulkChanges } from './table.ts'

type Bulk = typeof bulkChanges.$inferSelect

/** Begins a change of many patients. Who is changed is settled now; the work itself is done in the background, in batches. */
export async function startBulkChange(
  scope: Scope,
  selection: Selection,
  change: BulkChange,
): Promise<{ started: BulkProgress } | { invalid: Record<string, string> } | 'forbidden' | 'owes'> {
  const actor = staff(scope)
  if (!mayMake(actor, change)) return refused(scope.db, scope)
  const chosen =
    'ids' in selection ? sql`select unnest(${sql.param(selection.ids)}::uuid[])` : await matchingContacts(scope, selection.matching)
  return scope.db.transaction(async (tx) => {
    const invalid = await problems(tx, change)
    if (invalid) return { invalid }
    // Of many, those who owe are left; one alone is told of at once.
    const [only, ...others] = 'ids' in selection ? selection.ids : []
    if (change.kind === 'delete' && only && others.length === 0 && (await owingAmong(tx, [only])).has(only)) return 'owes'
    return { started: await beginBulkChange(tx, scope, chosen, change) }
  })
}

/** Begins a change in the caller's transaction, who has decided that it may be made. `chosen`: a query for the patients' ids. */
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

/** Whether a change is under way that moves patients to this stage. */
export async function isMovingTo(tx: Db, stageId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.status, 'running'), sql`${bulkChanges.change}->>'stageId' = ${stageId}`))
    .limit(1)
  return found !== undefined
}

/** What a change refers to and is not there, by field; null when all is well. */
async function problems(tx: Db, change: BulkChange): Promise<Record<string, string> | null> {
  switch (change.kind) {
    case 'stage': {
      if (!(await findOfferedStage(tx, change.stageId))) return { 'change.stageId': 'There is no such stage' }
      const problem = await problemOfReason(tx, change.stageId, change.lostReason ?? null)
      return problem ? { 'change.lostReason': problem } : null
    }
    case 'tag': {
      const [tag] = await tx.select({ id: tags.id }).from(tags).where(eq(tags.id, change.tagId))
      return tag ? null : { 'change.tagId': 'There is no such tag' }
    }
    case 'owner':
    case 'provider': {
      const roles = assignableRoles[change.kind === 'owner' ? 'assignedSalesRepId' : 'assignedProviderId']
      const problem = change.personId && (await problemOfAssignee(tx, change.personId, roles))
      return problem ? { 'change.personId': problem } : null
    }
    case 'followUp':
    case 'delete':
      return null
  }
}

/** How far it has come; null when there is no such change, or it is somebody else's. */
export async function getBulkChange(scope: Scope, id: string): Promise<BulkProgress | null> {
  const [mine] = await scope.db.select({ id: bulkChanges.id }).from(bulkChanges).where(ofActor(scope, id))
  return mine ? progressOf(scope.db, scope, id) : null
}

/** The actor's own changes that are under way or were begun just now, so that whoever left the page or loaded it anew can follow them on. */
export async function listCurrent(scope: Scope): Promise<(BulkProgress & { change: BulkChange })[]> {
  const since = new Date(scope.now().getTime() - recentMinutes * 60_000)
  const rows = await scope.db
    .select()
    .from(bulkChanges)
    .where(
      and(
        eq(bulkChanges.createdBy, staff(scope).id),
        or(gt(bulkChanges.createdAt, since), inArray(bulkChanges.status, ['running', 'undoing'])),
      ),
    )
    .orderBy(desc(bulkChanges.createdAt))
  return rows.map((row) => ({ ...row, change: readChange(row.change), canUndo: canUndo(scope, row) }))
}

/** As it is stored, an instant is text. */
const readChange = (change: BulkChange): BulkChange =>
  change.kind === 'followUp' && change.date ? { ...change, date: new Date(change.date) } : change

/** Deletions of the actor's own from which somebody can be brought back, newest first. */
export async function listDeletions(scope: Scope): Promise<(BulkProgress & { createdAt: Date })[]> {
  const rows = await scope.db
    .select()
    .from(bulkChanges)
    .where(
      and(
        eq(bulkChanges.createdBy, staff(scope).id),
        gt(bulkChanges.createdAt, new Date(scope.now().getTime() - undoHours * 3600_000)),
        sql`${bulkChanges.change}->>'kind' = 'delete'`,
        sql`${bulkChanges.changed} > ${bulkChanges.undone} + ${bulkChanges.kept}`,
        isKept,
      ),
    )
    .orderBy(desc(bulkChanges.createdAt))
  return rows.filter((row) => canUndo(scope, row)).map((row) => ({ ...row, canUndo: true }))
}

/** Stops it after the batch that is under way. What is done already stays done. */
export async function cancelBulkChange(scope: Scope, id: string): Promise<BulkProgress | null> {
  return scope.db.transaction(async (tx) => {
    const bulk = await lock(tx, scope, id)
    if (!bulk) return null
    if (bulk.status === 'running') await setStatus(tx, id, 'cancelled')
    return progressOf(tx, scope, id)
  })
}

/** Takes back what was changed. Asked for again, it says how far that has come. */
export async function undoBulkChange(scope: Scope, id: string): Promise<BulkProgress | 'running' | 'forbidden' | 'expired' | null> {
  return scope.db.transaction(async (tx) => {
    const bulk = await lock(tx, scope, id)
    if (!bulk) return null
    if (!mayMake(staff(scope), bulk.change)) return refused(tx, scope)
    if (bulk.status === 'running') return 'running'
    if (bulk.status === 'done' || bulk.status === 'cancelled') {
      if (!canUndo(scope, bulk) || (bulk.change.kind === 'delete' && bulk.changed > 0 && !(await isStillKept(tx, id)))) return 'expired'
      await setStatus(tx, id, 'undoing')
      await enqueue(tx, changeInBulk, { id }, id)
    }
    return progressOf(tx, scope, id)
  })
}

const ofActor = (scope: Scope, id: string) => and(eq(bulkChanges.id, id), eq(bulkChanges.createdBy, staff(scope).id))

/** For a change of its status: waits for the batch that is under way. */
async function lock(tx: Db, scope: Scope, id: string): Promise<Bulk | null> {
  const [bulk] = await tx.select().from(bulkChanges).where(ofActor(scope, id)).for('update')
  return bulk ?? null
}

async function progressOf(tx: Db, scope: Scope, id: string): Promise<BulkProgress> {
  const [bulk] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id))
  return { ...bulk!, canUndo: canUndo(scope, bulk!) }
}

/** Whether anything is left of what a deletion has kept: a rule of retention may have erased it sooner. */
const isKept = sql`exists (select 1 from ${deletedContactRows} where ${deletedContactRows.deletionId} = ${bulkChanges.id})`

async function isStillKept(tx: Db, id: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.id, id), isKept))
  return found !== undefined
}

/** A deletion's undo needs what was kept for it: nothing is for good, and everything else for some hours. */
function canUndo(scope: Scope, { change, createdAt, status }: Bulk): boolean {
  if (status === 'undone') return false
  return change.kind !== 'delete' || (!change.forGood && createdAt.getTime() + undoHours * 3600_000 > scope.now().getTime())
}

async function refused(tx: Db, scope: Scope): Promise<'forbidden'> {
  await recordChange(tx, scope, { action: 'denied', kind: 'bulk-change', contactIds: [] })
  return 'forbidden'
}
