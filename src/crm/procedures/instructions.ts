import { eq, inArray } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Instructions } from './contract.ts'
import { procedureInstructions, procedures } from './table.ts'

const none = { preparationEn: null, preparationFr: null, aftercareEn: null, aftercareFr: null, version: 0 }

const read = async (db: Db, id: string) => {
  const [row] = await db.select().from(procedureInstructions).where(eq(procedureInstructions.procedureId, id))
  const { procedureId: _, ...written } = row ?? { procedureId: id, ...none }
  return written
}

/** What patients read before and after a procedure. Null: procedure not found. */
export async function getInstructions(db: Db, id: string) {
  return (await db.$count(procedures, eq(procedures.id, id))) === 0 ? null : read(db, id)
}

/** Replaces the texts of a procedure. Null: procedure not found. */
export const setInstructions = (scope: Scope, { id, version, ...wanted }: Instructions & { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const [procedure] = await tx.select({ id: procedures.id }).from(procedures).where(eq(procedures.id, id)).for('no key update')
    if (!procedure) return null
    const before = await read(tx, id)
    if (before.version !== version) return refuse('CHANGED_MEANWHILE')
    const changes = difference(before, { ...before, ...wanted })
    if (Object.keys(changes.after).length === 0) return before
    const row = { ...wanted, version: version + 1 }
    await tx
      .insert(procedureInstructions)
      .values({ ...row, procedureId: id })
      .onConflictDoUpdate({ target: procedureInstructions.procedureId, set: row })
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'procedure',
      contactIds: [],
      before: { id, ...changes.before },
      after: { id, ...changes.after },
    })
    await publish(tx, 'vocabulary', id)
    return row
  })

/** The texts of these procedures by language, where the practice has written some. */
export async function instructionsOf(db: Db, ids: readonly string[]) {
  const rows = await db
    .select()
    .from(procedureInstructions)
    .where(inArray(procedureInstructions.procedureId, [...ids]))
  return new Map(
    rows.map((row) => [
      row.procedureId,
      {
        preparation: { en: row.preparationEn, fr: row.preparationFr },
        aftercare: { en: row.aftercareEn, fr: row.aftercareFr },
      },
    ]),
  )
}
