import { asc, eq, sql } from 'drizzle-orm'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { NewTemplate } from './contract.ts'
import { noteKinds, noteLimits } from './rules.ts'
import { noteTemplates } from './table.ts'

/** In the order of a patient's treatment, then by name. */
export const listNoteTemplates = (db: Db) =>
  db
    .select()
    .from(noteTemplates)
    .orderBy(sql`array_position(${sql.param([...noteKinds])}::text[], ${noteTemplates.kind})`, asc(sql`fold(${noteTemplates.name})`))

export const addNoteTemplate = (scope: Scope, given: NewTemplate) =>
  orNameTaken(
    scope.db.transaction(async (tx) => {
      if ((await tx.$count(noteTemplates)) >= noteLimits.templates) return refuse('TOO_MANY')
      const [row] = await tx
        .insert(noteTemplates)
        .values({ ...given, createdAt: scope.now(), ...changedNow(scope) })
        .returning()
      await recordChange(tx, scope, { action: 'created', kind: 'note template', contactIds: [], after: row })
      await publish(tx, 'vocabulary', row!.id)
      return row!
    }),
  )

/** Changes a template; existing notes keep their sections. Null: no such template. */
export const changeNoteTemplate = (scope: Scope, { id, version, ...given }: NewTemplate & { id: string; version: number }) =>
  orNameTaken(
    scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(noteTemplates).where(eq(noteTemplates.id, id)).for('update')
      if (!before) return null
      if (before.version !== version) return refuse('CONFLICT', { current: before })
      const [after] = await tx
        .update(noteTemplates)
        .set({ ...given, version: version + 1, ...changedNow(scope) })
        .where(eq(noteTemplates.id, id))
        .returning()
      await recordChange(tx, scope, { action: 'changed', kind: 'note template', contactIds: [], before, after })
      await publish(tx, 'vocabulary', id)
      return after!
    }),
  )

const changedNow = (scope: Scope) => ({ updatedAt: scope.now(), updatedBy: staff(scope).id })

async function orNameTaken<Result>(work: Promise<Result>) {
  try {
    return await work
  } catch (error) {
    if (isDuplicate(error, 'note_templates_name')) return refuse('NAME_TAKEN')
    throw error
  }
}
