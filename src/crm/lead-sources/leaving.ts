import { eq } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginMove, countMovingTo, type MoveRefusal } from '../bulk-changes/service.ts'
import { leadEntries } from '../leads/table.ts'
import type { Uses } from './rules.ts'
import { changed, usesOf } from './service.ts'
import { leadSources } from './table.ts'

/** Deletes a source that no patient and no lead has; answers how many have one that stays. No one is given it while it is counted: its row is locked. */
export async function deleteLeadSource(scope: Scope, id: string): Promise<'deleted' | 'not-found' | Uses> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('update')
    if (!row) return 'not-found'
    const { patients, leads } = await usesOf(tx, id)
    const uses = { patients: patients + ((await countMovingTo(tx, id)) ?? 0), leads }
    if (uses.patients + uses.leads > 0) return uses
    await tx.delete(leadSources).where(eq(leadSources.id, id))
    await changed(tx, scope, row, 'deleted')
    return 'deleted'
  })
}

/** Gives another source to everyone who has this one: its leads at once, its patients in the background. */
export async function moveLeadSource(
  scope: Scope,
  { id, to }: { id: string; to: string },
): Promise<{ bulkChangeId: string; total: number; leads: number } | MoveRefusal> {
  return scope.db.transaction(async (tx) => {
    const begun = await beginMove(tx, scope, { kind: 'source', from: id, to })
    if ('refused' in begun) return begun.refused
    const { rowCount } = await tx.update(leadEntries).set({ sourceId: to }).where(eq(leadEntries.sourceId, id))
    const { total, id: bulkChangeId } = begun.progress
    const leads = rowCount ?? 0
    const row = { id, name: begun.names.from }
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'lead-source',
      contactIds: [],
      before: { ...row, patients: total, leads },
      after: { ...row, movedTo: begun.names.to },
    })
    return { bulkChangeId, total, leads }
  })
}
