import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginMove, countMovingTo } from '../bulk-changes/service.ts'
import { contacts } from '../contacts/table.ts'
import { surgicalUses } from './service.ts'
import { procedures } from './table.ts'

/** The number of records that use a procedure or are deleted with it, or null for an unknown procedure. */
export async function usesOfProcedure({ db }: Scope, id: string) {
  const [row] = await db.select({ id: procedures.id }).from(procedures).where(eq(procedures.id, id))
  if (!row) return null
  const [patients, uses] = await Promise.all([patientsOf(db, id), surgicalUses(db, id)])
  return { patients, ...uses }
}

const patientsOf = (db: Db, id: string) => db.$count(contacts, eq(contacts.procedureId, id))

/**
 * Deletes a procedure that no patient has, or refuses with the number of patients. Locks its row, so that no patient gets it while
 * counting.
 */
export async function deleteProcedure(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(procedures).where(eq(procedures.id, id)).for('update')
    if (!row) return null
    const count = (await patientsOf(tx, id)) + ((await countMovingTo(tx, id)) ?? 0)
    if (count > 0) {
      const message = `Used by ${count.toLocaleString('en-CA')} ${count === 1 ? 'patient' : 'patients'}. Move them to another procedure, or retire it: they keep it, and it is no longer offered.`
      return refuse('IN_USE', { count }, message)
    }
    await tx.delete(procedures).where(eq(procedures.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'procedure', contactIds: [], before: row })
    await publish(tx, 'vocabulary', id)
    return true
  })
}

/** Changes the procedure of interest of all its patients to another one, in the background. Surgeries keep theirs. */
export async function moveProcedure(scope: Scope, { id, to }: { id: string; to: string }) {
  return scope.db.transaction(async (tx) => {
    const begun = await beginMove(tx, scope, { kind: 'procedure', from: id, to })
    if (!begun || isRefusal(begun)) return begun
    const { total, id: bulkChangeId } = begun.progress
    const row = { id, name: begun.names.from }
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'procedure',
      contactIds: [],
      before: { ...row, patients: total },
      after: { ...row, movedTo: begun.names.to },
    })
    return { bulkChangeId, total }
  })
}
