import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { AuditKind } from '../../kernel/audit/rules.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Topic } from '../../kernel/events/contract.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { TemplateTable, VersionTable } from './table.ts'

type Row<Definition> = Omit<VersionTable['$inferSelect'], 'definition'> & { definition: Definition }
interface Template<Version, Starter> {
  id: string
  starter: Starter | null
  isActive: boolean
  /** What is being written; null if nothing has changed since the newest version was published. */
  draft: Version | null
  /** The version that is sent; null before the first is published. */
  published: Version | null
}

interface Kind<Definition, Problem> {
  templates: PgTable
  versions: PgTable
  /** The name in the audit log and of the topic of events. */
  kind: AuditKind & Topic
  /** The most templates of a clinic: the list is not paged. */
  max: number
  titleOf: (definition: Definition) => string
  /** Everything that keeps a definition from being published. */
  check: (tx: Db, definition: Definition) => Problem[] | Promise<Problem[]>
  /** What else a publication changes. */
  onPublish?: (tx: Db, scope: Scope, id: string) => Promise<void>
}

/**
 * Templates whose content has versions: at most one draft, which is changed by someone who has read its revision, and published versions,
 * which stay as they are. `Extra`: further columns of a version.
 */
export function versionedTemplates<Definition, Starter extends string, Problem, Extra extends object = object>(
  given: Kind<Definition, Problem>,
) {
  type Version = Row<Definition> & Extra
  type Found = Template<Version, Starter>
  const { kind, max, titleOf, check } = given
  // The tables have at least these columns: both are made with table.ts.
  const templates = given.templates as unknown as TemplateTable
  const versions = given.versions as unknown as VersionTable

  /** Of each template, or one: the newest published version and the draft. */
  const versionsOf = (db: Db, templateId?: string) =>
    db
      .selectDistinctOn([versions.templateId, sql`${versions.publishedAt} is null`])
      .from(versions)
      .where(templateId === undefined ? undefined : eq(versions.templateId, templateId))
      .orderBy(versions.templateId, sql`${versions.publishedAt} is null`, desc(versions.number)) as unknown as Promise<Version[]>

  const toTemplate = ({ id, starter, isActive }: TemplateTable['$inferSelect'], own: readonly Version[]): Found => ({
    id,
    starter: starter as Starter | null,
    isActive,
    draft: own.find(({ publishedAt }) => publishedAt === null) ?? null,
    published: own.find(({ publishedAt }) => publishedAt !== null) ?? null,
  })

  /** By title; that of the published version, if there is one. */
  async function list({ db }: { db: Db }): Promise<(Found & { title: string })[]> {
    const rows = await db.select().from(templates).orderBy(asc(templates.id))
    const ofTemplate = Map.groupBy(await versionsOf(db), ({ templateId }) => templateId)
    return rows
      .map((row) => {
        const found = toTemplate(row, ofTemplate.get(row.id) ?? [])
        return { ...found, title: titleOf((found.published ?? found.draft)!.definition) }
      })
      .toSorted((a, b) => a.title.localeCompare(b.title, 'en-CA'))
  }

  async function get({ db }: { db: Db }, id: string): Promise<Found | null> {
    const [row] = await db.select().from(templates).where(eq(templates.id, id))
    return row ? toTemplate(row, await versionsOf(db, id)) : null
  }

  const create = (scope: Scope, starter: Starter | null, definition: Definition) =>
    scope.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${kind}, 0))`)
      const [row] = await tx.select({ kept: count() }).from(templates)
      if (row!.kept >= max) return refuse('TOO_MANY')
      const [added] = await tx
        .insert(templates)
        .values({ starter, createdAt: scope.now(), createdBy: staff(scope).id })
        .returning()
      await tx.insert(versions).values({ templateId: added!.id, number: 1, definition, createdAt: scope.now() })
      return changed(tx, scope, 'created', null, added!.id)
    })

  /** Saves the draft, which begins with the first change after a publication. Null: no such template. */
  const saveDraft = (scope: Scope, { id, revision, definition }: { id: string; revision: number; definition: Definition }) =>
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return null
      const { draft, published } = before
      if ((draft ?? published)!.revision !== revision) return refuse('CONFLICT')
      if (draft) {
        await tx
          .update(versions)
          .set({ definition, revision: revision + 1 })
          .where(eq(versions.id, draft.id))
      } else {
        // Continues the count, so that no two states have the same revision.
        const next = { templateId: id, number: published!.number + 1, revision: revision + 1 }
        await tx.insert(versions).values({ ...next, definition, createdAt: scope.now() })
      }
      return changed(tx, scope, 'changed', before, id)
    })

  /** Publishes the draft if nothing is wrong with it. What was sent keeps its version. Null: no such template. */
  const publishDraft = (scope: Scope, { id, revision, ...extra }: { id: string; revision: number } & Partial<Extra>) =>
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return null
      if (!before.draft) return refuse('NO_DRAFT')
      if (before.draft.revision !== revision) return refuse('CONFLICT')
      const problems = await check(tx, before.draft.definition)
      if (problems.length > 0) return refuse('NOT_PUBLISHABLE', { problems })
      await tx
        .update(versions)
        .set({ ...extra, publishedAt: scope.now(), publishedBy: staff(scope).id })
        .where(eq(versions.id, before.draft.id))
      await given.onPublish?.(tx, scope, id)
      return changed(tx, scope, 'changed', before, id)
    })

  /** Null: no such template. */
  const setActive = (scope: Scope, { id, isActive }: { id: string; isActive: boolean }) =>
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return null
      await tx.update(templates).set({ isActive }).where(eq(templates.id, id))
      return changed(tx, scope, 'changed', before, id)
    })

  /** The version that is sent now; null if the template is unknown, inactive or was never published. */
  async function current(tx: Db, templateId: string): Promise<Version | null> {
    const [found] = await tx
      .select({ version: versions })
      .from(versions)
      .innerJoin(templates, eq(templates.id, versions.templateId))
      .where(and(eq(templates.id, templateId), eq(templates.isActive, true), isNotNull(versions.publishedAt)))
      .orderBy(desc(versions.number))
      .limit(1)
    return (found?.version as Version | undefined) ?? null
  }

  async function lock(tx: Db, id: string): Promise<Found | null> {
    await tx.select({ id: templates.id }).from(templates).where(eq(templates.id, id)).for('update')
    await tx
      .select({ id: versions.id })
      .from(versions)
      .where(and(eq(versions.templateId, id), isNull(versions.publishedAt)))
      .for('update')
    return get({ db: tx }, id)
  }

  async function changed(tx: Db, scope: Scope, action: 'created' | 'changed', before: Found | null, id: string): Promise<Found> {
    const after = (await get({ db: tx }, id))!
    await recordChange(tx, scope, { action, kind, contactIds: [], before, after })
    await publish(tx, kind, id)
    return after
  }

  return { list, get, create, saveDraft, publishDraft, setActive, current }
}
