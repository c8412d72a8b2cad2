import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import { invalidReference, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { procedures } from '../../../crm/procedures/table.ts'
import { checklistMessages, type Template } from '../checklist-contract.ts'
import { checklistTemplates, surgeries } from '../table.ts'

type Row = typeof checklistTemplates.$inferSelect
type NewTemplate = Omit<Template, 'id'>

/** Items for every case first, then by procedure, each by due date. */
export const listTemplates = (db: Db): Promise<Row[]> =>
  db
    .select()
    .from(checklistTemplates)
    .orderBy(sql`${checklistTemplates.procedureId} nulls first`, checklistTemplates.dueDays, checklistTemplates.id)

export async function addTemplate(scope: Scope, given: NewTemplate) {
  return scope.db.transaction(async (tx) => {
    const invalid = await problemsOf(tx, given)
    if (invalid) return invalid
    const [row] = await tx.insert(checklistTemplates).values(given).returning()
    await recordChange(tx, scope, { action: 'created', kind: 'checklist template', contactIds: [], after: row })
    await publish(tx, 'vocabulary', row!.id)
    return row!
  })
}

/** Changes a template; existing cases keep their items. Null if there is no such template. */
export async function changeTemplate(scope: Scope, { id, ...given }: Template) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    if (!isForSpecialist(given) && (await isLastSpecialistItem(tx, before))) return refuse('FIXED')
    const invalid = await problemsOf(tx, given)
    if (invalid) return invalid
    const [after] = await tx.update(checklistTemplates).set(given).where(eq(checklistTemplates.id, id)).returning()
    await recordChange(tx, scope, { action: 'changed', kind: 'checklist template', contactIds: [], before, after })
    await publish(tx, 'vocabulary', id)
    return after!
  })
}

/** Deletes a template; existing cases keep their items. Null if there is no such template. */
export async function deleteTemplate(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    if (await isLastSpecialistItem(tx, before)) return refuse('FIXED')
    await tx.delete(checklistTemplates).where(eq(checklistTemplates.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'checklist template', contactIds: [], before })
    await publish(tx, 'vocabulary', id)
    return true
  })
}

async function lock(tx: Db, id: string): Promise<Row | null> {
  const [row] = await tx.select().from(checklistTemplates).where(eq(checklistTemplates.id, id)).for('update')
  return row ?? null
}

/** The template of the specialist item that any case may need (spec 4). */
const isForSpecialist = ({ kind, procedureId }: NewTemplate): boolean => kind === 'specialist' && procedureId === null

async function isLastSpecialistItem(tx: Db, template: Row): Promise<boolean> {
  if (!isForSpecialist(template)) return false
  const all = await tx
    .select({ id: checklistTemplates.id })
    .from(checklistTemplates)
    .where(and(eq(checklistTemplates.kind, 'specialist'), isNull(checklistTemplates.procedureId)))
    .orderBy(checklistTemplates.id)
    .for('update')
  return all.length === 1
}

async function problemsOf(tx: Db, { procedureId }: NewTemplate) {
  if (procedureId === null) return null
  const [found] = await tx.select({ id: procedures.id }).from(procedures).where(eq(procedures.id, procedureId)).for('key share')
  return found ? null : invalidReference({ procedureId: checklistMessages.noProcedure })
}

/** The number of surgeries with a procedure, and of its checklist templates. */
export async function surgicalUses(db: Db, procedureId: string): Promise<{ surgeries: number; checklistItems: number }> {
  const [cases, checklistItems] = await Promise.all([
    db.$count(surgeries, sql`${surgeries.procedures} @> ${JSON.stringify([{ id: procedureId }])}::jsonb`),
    db.$count(checklistTemplates, eq(checklistTemplates.procedureId, procedureId)),
  ])
  return { surgeries: cases, checklistItems }
}
