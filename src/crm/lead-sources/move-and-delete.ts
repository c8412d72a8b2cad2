import { eq, sql } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginMove, countMovingTo } from '../bulk-changes/service.ts'
import { leadEntries } from '../leads/table.ts'
import { formatUses } from './rules.ts'
import { publishChange, usesOf } from './service.ts'
import { leadSources, sourceSpend } from './table.ts'

/**
 * Deletes a source without patients, leads or spend; otherwise the refusal says how many it has. The row is locked, so that none are added
 * while counting.
 */
export async function deleteLeadSource(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('update')
    if (!row) return null
    const counted = await usesOf(tx, id)
    const uses = { ...counted, patients: counted.patients + ((await countMovingTo(tx, id)) ?? 0) }
    const total = uses.patients + uses.leads + uses.spendMonths
    if (total > 0) {
      const message = `Used by ${formatUses(uses)}. Move them to another source, or retire it: they keep it, and it is no longer offered.`
      return refuse('IN_USE', { count: total }, message)
    }
    await tx.delete(leadSources).where(eq(leadSources.id, id))
    await publishChange(tx, scope, row, 'deleted')
    return true
  })
}

/** Moves everything from one source to another: leads and spend at once, patients in the background. */
export async function moveLeadSource(scope: Scope, { id, to }: { id: string; to: string }) {
  return scope.db.transaction(async (tx) => {
    const started = await beginMove(tx, scope, { kind: 'source', from: id, to })
    if (!started || isRefusal(started)) return started
    const { rowCount } = await tx.update(leadEntries).set({ sourceId: to }).where(eq(leadEntries.sourceId, id))
    const { total, id: bulkChangeId } = started.progress
    const leads = rowCount ?? 0
    const spendMonths = await moveSpend(tx, scope, { id, to })
    const row = { id, name: started.names.from }
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'lead-source',
      contactIds: [],
      before: { ...row, patients: total, leads, ...(spendMonths > 0 && { spendMonths }) },
      after: { ...row, movedTo: started.names.to },
    })
    return { bulkChangeId, total, leads }
  })
}

/** Adds each month's amount to that of the other source. Returns how many months had one. */
async function moveSpend(tx: Db, scope: Scope, { id, to }: { id: string; to: string }): Promise<number> {
  const taken = await tx.delete(sourceSpend).where(eq(sourceSpend.sourceId, id)).returning()
  if (taken.length > 0)
    await tx
      .insert(sourceSpend)
      .values(taken.map((row) => ({ ...row, sourceId: to, updatedAt: scope.now() })))
      .onConflictDoUpdate({
        target: [sourceSpend.sourceId, sourceSpend.month],
        set: { cents: sql`${sourceSpend.cents} + excluded.cents`, updatedAt: scope.now() },
      })
  return taken.length
}
