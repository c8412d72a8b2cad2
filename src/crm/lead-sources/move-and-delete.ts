import { eq } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginMove, countMovingTo } from '../bulk-changes/service.ts'
import { leadEntries } from '../leads/table.ts'
import { formatUses } from './rules.ts'
import { publishChange, usesOf } from './service.ts'
import { leadSources } from './table.ts'

/**
 * Deletes a source without patients or leads; otherwise the refusal says how many it has. The row is locked, so that none are added while
 * counting.
 */
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
    await publishChange(tx, scope, row, 'deleted')
    return true
  })
}

/** Moves everything from one source to another: leads at once, patients in the background. */
export async function moveLeadSource(scope: Scope, { id, to }: { id: string; to: string }) {
  return scope.db.transaction(async (tx) => {
    const started = await beginMove(tx, scope, { kind: 'source', from: id, to })
    if (!started || isRefusal(started)) return started
    const { rowCount } = await tx.update(leadEntries).set({ sourceId: to }).where(eq(leadEntries.sourceId, id))
    const { total, id: bulkChangeId } = started.progress
    const leads = rowCount ?? 0
    const row = { id, name: started.names.from }
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'lead-source',
      contactIds: [],
      before: { ...row, patients: total, leads },
      after: { ...row, movedTo: started.names.to },
    })
    return { bulkChangeId, total, leads }
  })
}
