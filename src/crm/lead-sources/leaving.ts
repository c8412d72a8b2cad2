import { eq } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginMove, countMovingTo } from '../bulk-changes/service.ts'
import { leadEntries } from '../leads/table.ts'
import { formatUses } from './rules.ts'
import { changed, usesOf } from './service.ts'
import { leadSources } from './table.ts'

/** Deletes a source that no patient and no lead has; how many have one that stays is in the refusal. No one is given it while it is counted: its row is locked. */
export async function deleteLeadSource(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('update')
    if (!row) return null
    const { patients, leads } = await usesOf(tx, id)
    const uses = { patients: patients + ((await countMovingTo(tx, id)) ?? 0), leads }
    const total = uses.patients + uses.leads
    if (total > 0) {
      const message = `Used by ${formatUses(uses)}. Move them to another source, or retire it: they keep it, and it is no longer offered.`
      return refuse('IN_USE', { count: total }, message)
    }
    await tx.delete(leadSources).where(eq(leadSources.id, id))
    await changed(tx, scope, row, 'deleted')
    return true
  })
}

/** Gives another source to everyone who has this one: its leads at once, its patients in the background. */
export async function moveLeadSource(scope: Scope, { id, to }: { id: string; to: string }) {
  return scope.db.transaction(async (tx) => {
    const begun = await beginMove(tx, scope, { kind: 'source', from: id, to })
    if (!begun || isRefusal(begun)) return begun
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
