import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Procedure } from './contract.ts'
import type { FrenchProcedure } from './rules.ts'
import { procedures } from './table.ts'
import { findByIdOrName } from '../../kernel/find-by-name.ts'

export { instructionsOf } from './instructions.ts'

/** The number of surgeries and checklist items with a procedure. Surgeries fills this slot. */
export const surgicalUses = slot<(db: Db, id: string) => Promise<{ surgeries: number; checklistItems: number }>>('surgicalUses')

export const listProcedures = (db: Db) =>
  db
    .select()
    .from(procedures)
    .orderBy(asc(sql`fold(${procedures.name})`))

/** The procedures that have a French name. */
export const frenchProcedures = (db: Db): Promise<FrenchProcedure[]> =>
  db
    .select({ id: procedures.id, name: procedures.name, nameFr: sql<string>`${procedures.nameFr}` })
    .from(procedures)
    .where(isNotNull(procedures.nameFr))

type Details = Omit<Procedure, 'id' | 'name' | 'isActive' | 'version'>

export async function createProcedure(scope: Scope, given: { name: string } & { [K in keyof Details]?: Details[K] | undefined }) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.insert(procedures).values(given).onConflictDoNothing().returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'procedure', contactIds: [], after: row })
    await publish(tx, 'vocabulary', row.id)
    return row
  })
}

type ChangedProcedure = Omit<Procedure, 'nameFr'> & { nameFr?: string | null | undefined }

/** Changes a procedure for new records; existing surgeries and quotes keep their values. Returns null for an unknown procedure. */
export async function changeProcedure(scope: Scope, { id, version, ...wanted }: ChangedProcedure) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(procedures).where(eq(procedures.id, id)).for('no key update')
      if (!before) return null
      if (before.version !== version) return refuse('CHANGED_MEANWHILE')
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return before
      const [row] = await tx
        .update(procedures)
        .set({ ...wanted, version: version + 1 })
        .where(eq(procedures.id, id))
        .returning()
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'procedure',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      await publish(tx, 'vocabulary', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'procedures_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** A procedure by id or name; an unknown name is kept as free text. */
export async function findProcedure(tx: Db, input: string | null): Promise<{ procedureId: string | null; procedureText: string | null }> {
  const id = input === null ? null : await findByIdOrName(tx, procedures, input)
  return { procedureId: id, procedureText: id ? null : input }
}
