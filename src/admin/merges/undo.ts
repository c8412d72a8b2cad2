import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { mergedTables } from '../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { mirrored } from '../../care/appointments/service.ts'
import { visibleContact } from '../../crm/contacts/policy.ts'
import { undoEndInMerge, writeColumns } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { mirrored as mirroredSurgery } from '../../care/surgeries/service.ts'
import { bringBack, passOn, restoreFields, touchedFields } from './undo-contact.ts'
import { changedRows, dropWritten, giveBack } from './undo-rows.ts'
import { lastDayOf } from './service.ts'
import { contactMergeRows, contactMerges, type UndoableMerge } from './table.ts'

type UndoInput = { id: string; decisions: Record<string, 'keep' | 'restore'>; version?: number | undefined }

/**
 * Takes a merge back in one transaction: the source returns under its id with the rows that were its own, the target's fields are what they
 * were. What someone has changed since is decided by the caller, each by its key: while a decision is missing, or the target has changed
 * since the conflicts were shown, nothing is undone and the conflicts are in the refusal. Rows that came after the merge stay with the target.
 */
export async function undoMerge(scope: Scope, { id, decisions, version }: UndoInput) {
  return scope.db.transaction(async (tx) => {
    const found = await lock(tx, scope, id)
    if (!found || isRefusal(found)) return found
    const { merge, target } = found

    const fields = await touchedFields(tx, merge)
    const rows = await Promise.all(mergedTables().map((child) => changedRows(tx, merge, child)))
    const conflicts = [...fields.flatMap(({ conflict }) => conflict ?? []), ...rows.flat()]
    const undecided = conflicts.some(({ key }) => decisions[key] === undefined)
    if (undecided || (conflicts.length > 0 && version !== target.version)) {
      await recordChange(tx, scope, { action: 'viewed', kind: 'merge', contactIds: [merge.targetId, merge.sourceId] })
      return refuse('UNDO_CONFLICTS', { version: target.version, target: visibleContact(scope.actor, target), conflicts })
    }

    const restored = fields.filter(({ conflict, heir }) => !heir && (!conflict || decisions[conflict.key] === 'restore'))
    await bringBack(tx, merge)
    for (const { field, heir } of fields) if (heir) await passOn(tx, merge, field, heir)
    const keys = Object.keys(decisions).filter((key) => decisions[key] === 'restore')
    for (const child of mergedTables()) await giveBack(tx, merge, child, keys)
    if (restored.some(({ field }) => field === 'funnelStage')) await dropWritten(tx, merge)
    await restoreFields(tx, scope, merge, target, restored)
    await undoEndInMerge(tx, merge.id, [merge.targetId, merge.sourceId])
    await mirrorEach(tx, scope, [merge.targetId, merge.sourceId])
    await finish(tx, scope, merge)
    return { targetId: merge.targetId, sourceId: merge.sourceId }
  })
}

/** Each has its own appointments and surgeries again, which may not be those of then. */
async function mirrorEach(tx: Db, scope: Scope, ids: readonly string[]): Promise<void> {
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
  for (const row of rows) {
    const changed = { ...(await mirrored(tx, scope, row)), ...(await mirroredSurgery(tx, scope, row)) }
    if (Object.keys(changed).length > 0) await writeColumns(tx, scope, row, changed)
  }
}

/** A merge that can be undone, with its target, both locked: the target first, as every other change of it does. Null: there is none. */
async function lock(tx: Db, scope: Scope, id: string) {
  const [seen] = await tx.select({ targetId: contactMerges.targetId }).from(contactMerges).where(eq(contactMerges.id, id))
  if (!seen) return null
  const [target] = await tx.select().from(contacts).where(eq(contacts.id, seen.targetId)).for('update')
  const [merge] = await tx.select().from(contactMerges).where(eq(contactMerges.id, id)).for('update')
  if (!merge) return null // deleted together with the target, while we waited
  if (merge.undoneAt) return refuse('ALREADY_UNDONE')
  if (!merge.snapshot || lastDayOf(merge.mergedAt) <= scope.now()) return refuse('UNDO_EXPIRED')
  if (target) return { merge: { ...merge, snapshot: merge.snapshot }, target }
  const [later] = await tx
    .select({ mergeId: contactMerges.id, intoId: contactMerges.targetId })
    .from(contactMerges)
    .where(and(eq(contactMerges.sourceId, merge.targetId), isNull(contactMerges.undoneAt)))
    .orderBy(desc(contactMerges.mergedAt))
    .limit(1)
  return later ? refuse('TARGET_MERGED', later) : null
}

/** The snapshot has served: it is not kept. The timeline of the target tells of it, and so does the audit log. */
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
