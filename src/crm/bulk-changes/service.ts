import { and, desc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { matchingContacts, outstandingAmong, problemOfAssignee, problemOfReason } from '../contacts/service.ts'
import { assignableRoles } from '../contacts/rules.ts'
import { deletedContactRows } from '../contacts/table.ts'
import { findOfferedStage } from '../pipeline/service.ts'
import { tags } from '../tags/table.ts'
import { isThere } from './apply.ts'
import { beginBulkChange, canUndo, isUndoable, progressOf } from './begin.ts'
import { type BulkChange, type BulkProgress, recentMinutes, type Selection, undoHours } from './contract.ts'
import { changeInBulk } from './jobs.ts'
import { mayMake, maySelect } from './policy.ts'
import { setStatus } from './run.ts'
import { bulkChanges } from './table.ts'

export { beginBulkChange, countMovingTo } from './begin.ts'
export { beginMove } from './move.ts'

type Bulk = typeof bulkChanges.$inferSelect

/** Begins a change of many patients. Who is changed is settled now; the work itself is done in the background, in batches. */
export async function startBulkChange(scope: Scope, selection: Selection, change: BulkChange) {
  const actor = staff(scope)
  if (!mayMake(actor, change) || !maySelect(actor, selection)) return denied(scope.db, scope)
  const chosen =
    'ids' in selection ? sql`select unnest(${sql.param(selection.ids)}::uuid[])` : await matchingContacts(scope, selection.matching)
  return scope.db.transaction(async (tx) => {
    const invalid = await problems(tx, change)
    if (invalid) return invalidReference(invalid)
    // Of many, those who owe are left; one alone is told of at once.
    const [only, ...others] = 'ids' in selection ? selection.ids : []
    if (change.kind === 'delete' && only && others.length === 0 && (await outstandingAmong(tx, [only])).has(only)) return refuse('OWES')
    return beginBulkChange(tx, scope, chosen, change)
  })
}

/** What a change refers to and is not there, by field; null when all is well. */
async function problems(tx: Db, change: BulkChange): Promise<Record<string, string> | null> {
  switch (change.kind) {
    case 'stage': {
      if (!(await findOfferedStage(tx, change.stageId))) return { 'change.stageId': 'Stage not found' }
      const problem = await problemOfReason(tx, change.stageId, change.lostReason ?? null)
      return problem ? { 'change.lostReason': problem } : null
    }
    case 'tag': {
      const [tag] = await tx.select({ id: tags.id }).from(tags).where(eq(tags.id, change.tagId))
      return tag ? null : { 'change.tagId': 'Tag not found' }
    }
    case 'owner':
    case 'provider': {
      const roles = assignableRoles[change.kind === 'owner' ? 'assignedSalesRepId' : 'assignedProviderId']
      const problem = change.personId && (await problemOfAssignee(tx, change.personId, roles))
      return problem ? { 'change.personId': problem } : null
    }
    case 'followUp':
    case 'delete':
    case 'source':
    case 'procedure':
      return null
  }
}

/** How far it has come; null when there is no such change, or it is someone else's. */
export async function getBulkChange(scope: Scope, id: string): Promise<BulkProgress | null> {
  const [mine] = await scope.db.select({ id: bulkChanges.id }).from(bulkChanges).where(ofActor(scope, id))
  return mine ? progressOf(scope.db, scope, id) : null
}

/** The actor's own changes that are under way or were begun just now, so that anyone who left the page or loaded it again can follow them on. */
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
  return Promise.all(rows.map(async (row) => ({ ...row, change: readChange(row.change), canUndo: await canUndo(scope.db, scope, row) })))
}

/** As it is stored, an instant is text. */
const readChange = (change: BulkChange): BulkChange =>
  change.kind === 'followUp' && change.date ? { ...change, date: new Date(change.date) } : change

/** Deletions of the actor's own from which someone can be brought back, newest first. */
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
  return rows.filter((row) => isUndoable(scope, row)).map((row) => ({ ...row, canUndo: true }))
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
export async function undoBulkChange(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const bulk = await lock(tx, scope, id)
    if (!bulk) return null
    if (!mayMake(staff(scope), bulk.change)) return denied(tx, scope)
    if (bulk.status === 'running') return refuse('STILL_RUNNING')
    if (bulk.status === 'done' || bulk.status === 'cancelled') {
      if (!isUndoable(scope, bulk) || (bulk.change.kind === 'delete' && bulk.changed > 0 && !(await isStillKept(tx, id))))
        return refuse('UNDO_EXPIRED')
      if ('from' in bulk.change && !(await isThere(tx, bulk.change.kind, bulk.change.from)))
        return refuse('UNDO_EXPIRED', undefined, 'What they were moved from has been deleted')
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

/** Whether anything is left of what a deletion has kept: a rule of retention may have erased it sooner. */
const isKept = sql`exists (select 1 from ${deletedContactRows} where ${deletedContactRows.deletionId} = ${bulkChanges.id})`

async function isStillKept(tx: Db, id: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.id, id), isKept))
  return found !== undefined
}

/** Says whether the role or the API key is what forbids it. */
async function denied(tx: Db, scope: Scope) {
  await recordChange(tx, scope, { action: 'denied', kind: 'bulk-change', contactIds: [] })
  return refuse('FORBIDDEN', undefined, scope.actor?.apiKey ? 'This API key may not do this' : undefined)
}
