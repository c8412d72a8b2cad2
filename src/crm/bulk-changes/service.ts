import { and, desc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { matchingContacts, problemOfAssignee, problemOfReason, reasonsToKeep } from '../contacts/service.ts'
import { assignableRoles } from '../contacts/rules.ts'
import { deletedContactRows } from '../contacts/table.ts'
import { findAssignableStage } from '../pipeline/service.ts'
import { tags } from '../tags/table.ts'
import { lockIfExists } from './apply.ts'
import { beginBulkChange, canUndo, isUndoable, progressOf } from './start.ts'
import { type BulkChange, type BulkProgress, recentMinutes, type Selection, undoHours } from './contract.ts'
import { changeInBulk } from './jobs.ts'
import { mayMake, maySelect } from './policy.ts'
import { setStatus } from './run.ts'
import { bulkChanges } from './table.ts'

export { beginBulkChange, countMovingTo } from './start.ts'
export { beginMove } from './move.ts'

type Bulk = typeof bulkChanges.$inferSelect

/** Starts a bulk change. The patients are selected now and changed in the background, in batches. */
export async function startBulkChange(scope: Scope, selection: Selection, change: BulkChange) {
  const actor = staff(scope)
  if (!mayMake(actor, change) || !maySelect(actor, selection)) return deny(scope.db, scope)
  const contactIds =
    'ids' in selection ? sql`select unnest(${sql.param(selection.ids)}::uuid[])` : await matchingContacts(scope, selection.matching)
  return scope.db.transaction(async (tx) => {
    const invalid = await findProblems(tx, change)
    if (invalid) return invalidReference(invalid)
    // A bulk deletion skips patients who have to be kept. For a single patient the refusal is immediate.
    const [only, ...others] = 'ids' in selection ? selection.ids : []
    if (change.kind === 'delete' && only && others.length === 0) {
      const reason = (await reasonsToKeep(tx, scope, [only])).get(only)
      if (reason) return refuse(reason)
    }
    return beginBulkChange(tx, scope, contactIds, change)
  })
}

/** Checks that everything the change refers to exists. Returns messages by field, or null if it does. */
async function findProblems(tx: Db, change: BulkChange): Promise<Record<string, string> | null> {
  switch (change.kind) {
    case 'stage': {
      if (!(await findAssignableStage(tx, change.stageId))) return { 'change.stageId': 'Stage not found' }
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

/** The progress of the actor's own change. Null if it does not exist or is someone else's. */
export async function getBulkChange(scope: Scope, id: string): Promise<BulkProgress | null> {
  const [mine] = await scope.db.select({ id: bulkChanges.id }).from(bulkChanges).where(isOwnChange(scope, id))
  return mine ? progressOf(scope.db, scope, id) : null
}

/** The actor's own changes that are running or recent, so that progress survives leaving or reloading the page. */
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

/** Dates are stored as text in the jsonb column. */
const readChange = (change: BulkChange): BulkChange =>
  change.kind === 'followUp' && change.date ? { ...change, date: new Date(change.date) } : change

/** The actor's own deletions from which a patient can still be restored, newest first. */
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
        hasKeptRows,
      ),
    )
    .orderBy(desc(bulkChanges.createdAt))
  return rows.filter((row) => isUndoable(scope, row)).map((row) => ({ ...row, canUndo: true }))
}

/** Stops a change after the current batch. Patients already changed stay changed. */
export async function cancelBulkChange(scope: Scope, id: string): Promise<BulkProgress | null> {
  return scope.db.transaction(async (tx) => {
    const bulk = await lock(tx, scope, id)
    if (!bulk) return null
    if (bulk.status === 'running') await setStatus(tx, id, 'cancelled')
    return progressOf(tx, scope, id)
  })
}

/** Starts undoing a change. A repeated call returns the progress of the undo. */
export async function undoBulkChange(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const bulk = await lock(tx, scope, id)
    if (!bulk) return null
    if (!mayMake(staff(scope), bulk.change)) return deny(tx, scope)
    if (bulk.status === 'running') return refuse('STILL_RUNNING')
    if (bulk.status === 'done' || bulk.status === 'cancelled') {
      if (!isUndoable(scope, bulk) || (bulk.change.kind === 'delete' && bulk.changed > 0 && !(await hasUndoData(tx, id))))
        return refuse('UNDO_EXPIRED')
      if ('from' in bulk.change && !(await lockIfExists(tx, bulk.change.kind, bulk.change.from)))
        return refuse('UNDO_EXPIRED', undefined, 'These patients can’t be moved back: what they were moved from has been deleted')
      await setStatus(tx, id, 'undoing')
      await enqueue(tx, changeInBulk, { id }, id)
    }
    return progressOf(tx, scope, id)
  })
}

const isOwnChange = (scope: Scope, id: string) => and(eq(bulkChanges.id, id), eq(bulkChanges.createdBy, staff(scope).id))

/** Locks a change to set its status; waits for the current batch. */
async function lock(tx: Db, scope: Scope, id: string): Promise<Bulk | null> {
  const [bulk] = await tx.select().from(bulkChanges).where(isOwnChange(scope, id)).for('update')
  return bulk ?? null
}

/** Whether a deletion still has undo data. A retention rule may have erased it early. */
const hasKeptRows = sql`exists (select 1 from ${deletedContactRows} where ${deletedContactRows.deletionId} = ${bulkChanges.id})`

async function hasUndoData(tx: Db, id: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.id, id), hasKeptRows))
  return found !== undefined
}

/** Audits a denied call, and names the API key in the refusal if it was made with one. */
async function deny(tx: Db, scope: Scope) {
  await recordChange(tx, scope, { action: 'denied', kind: 'bulk-change', contactIds: [] })
  return refuse('FORBIDDEN', undefined, scope.actor?.apiKey ? 'This API key may not do this' : undefined)
}
