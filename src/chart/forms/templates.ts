import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { maxTemplates, type Template, type TemplateLine } from './contract.ts'
import { checkDefinition, type FormDefinition } from './definition-rules.ts'
import { allQuestions } from './rules.ts'
import { emptyDefinition, starters } from './starters.ts'
import type { StarterKey } from './starter-rules.ts'
import { formTemplates, formVersions } from './table.ts'

type Version = typeof formVersions.$inferSelect

/** The forms of the practice by their English title. */
export async function listTemplates({ db }: Pick<Scope, 'db'>): Promise<TemplateLine[]> {
  const rows = await db.select().from(formTemplates).orderBy(asc(formTemplates.id))
  const versions = Map.groupBy(await versionsOf(db), ({ templateId }) => templateId)
  const lines = rows.map(({ id, isActive }): TemplateLine => {
    const { draft, published } = newestOf(versions.get(id) ?? [])
    const { definition } = (published ?? draft)!
    return {
      id,
      isActive,
      title: definition.title,
      questionCount: allQuestions(definition).length,
      hasDraft: draft !== null,
      publishedNumber: published?.number ?? null,
      publishedAt: published?.publishedAt ?? null,
    }
  })
  return lines.toSorted((a, b) => a.title.en.localeCompare(b.title.en, 'en-CA'))
}

/** Of each template, or one: the newest published version and the draft. */
const versionsOf = (db: Db, templateId?: string): Promise<Version[]> =>
  db
    .selectDistinctOn([formVersions.templateId, sql`${formVersions.publishedAt} is null`])
    .from(formVersions)
    .where(templateId === undefined ? undefined : eq(formVersions.templateId, templateId))
    .orderBy(formVersions.templateId, sql`${formVersions.publishedAt} is null`, desc(formVersions.number))

const newestOf = (versions: readonly Version[]) => ({
  draft: versions.find(({ publishedAt }) => publishedAt === null) ?? null,
  published: versions.find(({ publishedAt }) => publishedAt !== null) ?? null,
})

export async function getTemplate({ db }: { db: Db }, id: string): Promise<Template | null> {
  const [row] = await db.select().from(formTemplates).where(eq(formTemplates.id, id))
  return row ? { id, starter: row.starter, isActive: row.isActive, ...newestOf(await versionsOf(db, id)) } : null
}

export async function createTemplate(scope: Scope, starter: StarterKey | null) {
  return scope.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('form-templates', 0))`)
    const [row] = await tx.select({ kept: count() }).from(formTemplates)
    if (row!.kept >= maxTemplates) return refuse('TOO_MANY')
    const by = { createdAt: scope.now(), createdBy: staff(scope).id }
    const [added] = await tx
      .insert(formTemplates)
      .values({ starter, ...by })
      .returning()
    const definition = starter === null ? emptyDefinition : starters[starter]
    await tx.insert(formVersions).values({ templateId: added!.id, number: 1, definition, createdAt: scope.now() })
    return changed(tx, scope, 'created', null, added!.id)
  })
}

/** Saves the draft, which begins with the first change after a publication. Null: no such template. */
export async function saveDraft(scope: Scope, { id, revision, definition }: { id: string; revision: number; definition: FormDefinition }) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    const { draft, published } = before
    if ((draft ?? published)!.revision !== revision) return refuse('CONFLICT')
    if (draft) {
      await tx
        .update(formVersions)
        .set({ definition, revision: revision + 1 })
        .where(eq(formVersions.id, draft.id))
    } else {
      // Continues the count, so that no two states of a form have the same revision.
      const next = { templateId: id, number: published!.number + 1, revision: revision + 1 }
      await tx.insert(formVersions).values({ ...next, definition, createdAt: scope.now() })
    }
    return changed(tx, scope, 'changed', before, id)
  })
}

/** Publishes the draft if nothing is wrong with it. Forms that were sent keep their version. Null: no such template. */
export async function publishDraft(scope: Scope, { id, revision }: { id: string; revision: number }) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    if (!before.draft) return refuse('NO_DRAFT')
    if (before.draft.revision !== revision) return refuse('CONFLICT')
    const problems = checkDefinition(before.draft.definition)
    if (problems.length > 0) return refuse('NOT_PUBLISHABLE', { problems })
    await tx
      .update(formVersions)
      .set({ publishedAt: scope.now(), publishedBy: staff(scope).id })
      .where(eq(formVersions.id, before.draft.id))
    return changed(tx, scope, 'changed', before, id)
  })
}

/** Null: no such template. */
export async function setTemplateActive(scope: Scope, { id, isActive }: { id: string; isActive: boolean }) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    await tx.update(formTemplates).set({ isActive }).where(eq(formTemplates.id, id))
    return changed(tx, scope, 'changed', before, id)
  })
}

/** The version that is sent now; null if the template is unknown, inactive or was never published. */
export async function currentVersion(tx: Db, templateId: string): Promise<Version | null> {
  const [found] = await tx
    .select({ version: formVersions })
    .from(formVersions)
    .innerJoin(formTemplates, eq(formTemplates.id, formVersions.templateId))
    .where(and(eq(formTemplates.id, templateId), eq(formTemplates.isActive, true), isNotNull(formVersions.publishedAt)))
    .orderBy(desc(formVersions.number))
    .limit(1)
  return found?.version ?? null
}

async function lock(tx: Db, id: string): Promise<Template | null> {
  await tx.select({ id: formTemplates.id }).from(formTemplates).where(eq(formTemplates.id, id)).for('update')
  await tx
    .select({ id: formVersions.id })
    .from(formVersions)
    .where(and(eq(formVersions.templateId, id), isNull(formVersions.publishedAt)))
    .for('update')
  return getTemplate({ db: tx }, id)
}

async function changed(tx: Db, scope: Scope, action: 'created' | 'changed', before: Template | null, id: string): Promise<Template> {
  const after = (await getTemplate({ db: tx }, id))!
  await recordChange(tx, scope, { action, kind: 'form-template', contactIds: [], before, after })
  await publish(tx, 'form-template', id)
  return after
}
