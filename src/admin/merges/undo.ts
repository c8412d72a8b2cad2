import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { mergedTables } from '../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { nextAppointmentChanges } from '../../care/appointments/service.ts'
import { visibleContact } from '../../crm/contacts/policy.ts'
import { undoEndInMerge, writeColumns } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { surgeryFieldChanges } from '../../care/surgeries/service.ts'
import { weightLossChanges } from '../../chart/health/service.ts'
import { restoreSource, passToLaterMerge, restoreFields, findChangedFields } from './undo-contact.ts'
import { findChangedRows, deleteWrittenRows, returnRows } from './undo-rows.ts'
import { undoDeadline } from './service.ts'
import { contactMergeRows, contactMerges, type UndoableMerge } from './table.ts'

type UndoInput = { id: string; decisions: Record<string, 'keep' | 'restore'>; version?: number | undefined }

/**
 * Undoes a merge in one transaction: restores the source with its id and rows, and the target's fields. The caller decides about each later
 * change by its key; if a decision is missing, or the target changed after the conflicts were shown, nothing is undone and the refusal
 * lists the conflicts. Rows added after the merge stay with the target.
 */
export async function undoMerge(scope: Scope, { id, decisions, version }: UndoInput) {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked || isRefusal(locked)) return locked
    const { merge, target } = locked

    const fields = await findChangedFields(tx, merge)
    const rows = await Promise.all(mergedTables().map((child) => findChangedRows(tx, merge, child)))
    const conflicts = [...fields.flatMap(({ conflict }) => conflict ?? []), ...rows.flat()]
    const isUndecided = conflicts.some(({ key }) => decisions[key] === undefined)
    if (isUndecided || (conflicts.length > 0 && version !== target.version)) {
      await recordChange(tx, scope, { action: 'viewed', kind: 'merge', contactIds: [merge.targetId, merge.sourceId] })
      return refuse('UNDO_CONFLICTS', { version: target.version, target: visibleContact(scope.actor, target), conflicts })
    }

    const restored = fields.filter(({ conflict, laterMergeId }) => !laterMergeId && (!conflict || decisions[conflict.key] === 'restore'))
    await restoreSource(tx, merge)
    for (const { field, laterMergeId } of fields) if (laterMergeId) await passToLaterMerge(tx, merge, field, laterMergeId)
    const keys = Object.keys(decisions).filter((key) => decisions[key] === 'restore')
    for (const child of mergedTables()) await returnRows(tx, merge, child, keys)
    if (restored.some(({ field }) => field === 'funnelStage')) await deleteWrittenRows(tx, merge)
    await restoreFields(tx, scope, merge, target, restored)
    await undoEndInMerge(tx, merge)
    await updateCareFields(tx, scope, [merge.targetId, merge.sourceId])
    await finish(tx, scope, merge)
    return { targetId: merge.targetId, sourceId: merge.sourceId }
  })
}

/** Recomputes the next appointment, the next surgery and the charted medication of both patients, which may have changed since the merge. */
async function updateCareFields(tx: Db, scope: Scope, ids: readonly string[]): Promise<void> {
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
  for (const row of rows) {
    const changed = {
      ...(await nextAppointmentChanges(tx, scope, row)),
      ...(await surgeryFieldChanges(tx, scope, row)),
      ...(await weightLossChanges(tx, row)),
    }
    if (Object.keys(changed).length > 0) await writeColumns(tx, scope, row, changed)
  }
}

/** Locks the target and then the merge, in the order every other change uses. Null if there is no such merge. */
async function lock(tx: Db, scope: Scope, id: string) {
  const [seen] = await tx.select({ targetId: contactMerges.targetId }).from(contactMerges).where(eq(contactMerges.id, id))
  if (!seen) return null
  const [target] = await tx.select().from(contacts).where(eq(contacts.id, seen.targetId)).for('update')
  const [merge] = await tx.select().from(contactMerges).where(eq(contactMerges.id, id)).for('update')
  if (!merge) return null // deleted with the target while we waited for the lock
  if (merge.undoneAt) return refuse('ALREADY_UNDONE')
  if (!merge.snapshot || undoDeadline(merge.mergedAt) <= scope.now()) return refuse('UNDO_EXPIRED')
  if (target) return { merge: { ...merge, snapshot: merge.snapshot }, target }
  const [later] = await tx
    .select({ mergeId: contactMerges.id, intoId: contactMerges.targetId })
    .from(contactMerges)
    .where(and(eq(contactMerges.sourceId, merge.targetId), isNull(contactMerges.undoneAt)))
    .orderBy(desc(contactMerges.mergedAt))
    .limit(1)
  return later ? refuse('TARGET_MERGED', later) : null
}

/** Deletes the snapshot, and records the undo in the target's timeline and in the audit log. */
async function finish(tx: Db, scope: Scope, { id, targetId, sourceId, snapshot }: UndoableMerge) {
  const by = { undoneBy: scope.actor?.id ?? null, undoneAt: scope.now() }
  await tx.delete(contactMergeRows).where(eq(contactMergeRows.mergeId, id))
  await tx
    .update(contactMerges)
    .set({ ...by, snapshot: sql`null` })
    .where(eq(contactMerges.id, id))
  const name = `${String(snapshot.source.first_name)} ${String(snapshot.source.last_name)}`
  await addInteraction(tx, scope, { contactId: targetId, type: 'contact_merged', description: `Merge with ${name} undone` })
  await recordChange(tx, scope, { action: 'unmerged', kind: 'contact', contactIds: [targetId, sourceId] })
  await publish(tx, 'contact', sourceId)
}
