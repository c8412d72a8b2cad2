import { asc, count, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type ChangedTemplate, maxTemplates, type NewTemplate, type Template } from './contract.ts'
import { copyName, htmlFromText, render, renderSubject, templateNames, type TemplateValues } from './rules.ts'
import { starters } from './starters.ts'
import { emailTemplates } from './table.ts'
import { valuesOfContact } from './values.ts'

/** By name, without the body. */
export async function listTemplates({ db }: Scope, category?: string) {
  const { id, name, subject, category: ofTemplate, updatedAt, version, createdBy } = emailTemplates
  return db
    .select({ id, name, subject, category: ofTemplate, updatedAt, isDefault: sql<boolean>`${version} = 1 and ${createdBy} is null` })
    .from(emailTemplates)
    .where(category === undefined ? undefined : eq(emailTemplates.category, category))
    .orderBy(asc(sql`fold(${name})`), asc(id))
}

/** Spec 8's wording. */
const missing = (id: string) => refuse('NOT_FOUND', undefined, `Template with ID ${id} not found`)

export async function getTemplate({ db }: Pick<Scope, 'db'>, id: string) {
  const [row] = await db.select().from(emailTemplates).where(eq(emailTemplates.id, id))
  return row ?? missing(id)
}

/**
 * Renders a template, found by name in any case, for a patient. Null when the template or the patient does not exist. `more`: additional
 * values. `language`: of the patient; a template in this language is preferred. `orStarter`: falls back to the starter template with this name.
 */
export async function renderTemplate(
  db: Db,
  env: Env,
  name: string,
  contactId: string,
  { more, language = 'en', orStarter = false }: { more?: TemplateValues; language?: Language; orStarter?: boolean } = {},
) {
  const names = templateNames(name, language)
  const lowerName = sql<string>`lower(${emailTemplates.name})`
  const kept = await db.select().from(emailTemplates).where(inArray(lowerName, names))
  const template = names
    .map((wanted) => kept.find((one) => one.name.toLowerCase() === wanted) ?? (orStarter ? starterOf(wanted) : undefined))
    .find((found) => found !== undefined)
  const known = template && (await valuesOfContact(db, env, contactId, language))
  if (!known) return null
  const values = { ...known, ...more }
  const { subject, body, category, variables } = template
  const html = variables.html_content?.trim() ? variables.html_content : htmlFromText(body)
  return { subject: renderSubject(subject, values), text: render(body, values, 'text'), html: render(html, values, 'html'), category }
}

function starterOf(name: string) {
  const starter = starters.find((one) => one.name === name)
  return starter && { ...starter, variables: { html_content: starter.html } }
}

export async function createTemplate(scope: Scope, template: NewTemplate) {
  return orTaken(scope.db.transaction(async (tx) => ((await hasTooMany(tx)) ? refuse('TOO_MANY') : insert(tx, scope, template))))
}

/** Changes the given fields, unless someone else has changed the template since the writer's version. */
export async function updateTemplate(scope: Scope, { id, version, ...change }: ChangedTemplate) {
  return orTaken(
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return missing(id)
      if (before.version !== version) return refuse('CONFLICT', { current: before })
      const [row] = await tx
        .update(emailTemplates)
        .set({ ...change, version: version + 1, updatedAt: scope.now(), updatedBy: staff(scope).id })
        .where(eq(emailTemplates.id, id))
        .returning()
      await changed(tx, scope, 'changed', before, row)
      return row!
    }),
  )
}

/** Emails already written from it do not change. */
export async function deleteTemplate(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return missing(id)
    await tx.delete(emailTemplates).where(eq(emailTemplates.id, id))
    await changed(tx, scope, 'deleted', before, undefined)
    return undefined
  })
}

/** Adds a copy under the first free name. */
export async function duplicateTemplate(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    if (await hasTooMany(tx)) return refuse('TOO_MANY')
    const template = await lock(tx, id)
    if (!template) return missing(id)
    const rows = await tx.select({ name: emailTemplates.name }).from(emailTemplates)
    const { subject, body, category, variables } = template
    const name = copyName(
      template.name,
      rows.map((row) => row.name),
    )
    return insert(tx, scope, { name, subject, body, category, variables })
  })
}

async function insert(tx: Db, scope: Scope, template: NewTemplate): Promise<Template> {
  const [at, by] = [scope.now(), staff(scope).id]
  const [row] = await tx
    .insert(emailTemplates)
    .values({ ...template, createdAt: at, createdBy: by, updatedAt: at, updatedBy: by })
    .returning()
  await changed(tx, scope, 'created', undefined, row)
  return row!
}

async function lock(tx: Db, id: string): Promise<Template | undefined> {
  const [row] = await tx.select().from(emailTemplates).where(eq(emailTemplates.id, id)).for('update')
  return row
}

/** Serializes additions, so neither the maximum number nor a copy's name is exceeded or taken twice. */
async function hasTooMany(tx: Db): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('email-templates', 0))`)
  const [row] = await tx.select({ kept: count() }).from(emailTemplates)
  return row!.kept >= maxTemplates
}

const orTaken = <Result>(writing: Promise<Result>) =>
  writing.catch((error: unknown) => {
    if (isDuplicate(error, 'email_templates_name')) return refuse('NAME_TAKEN')
    throw error
  })

type Row = Template | undefined

async function changed(tx: Db, scope: Scope, action: 'created' | 'changed' | 'deleted', before: Row, after: Row) {
  await recordChange(tx, scope, { action, kind: 'email-template', contactIds: [], before, after })
  await publish(tx, 'email-template', (after ?? before)!.id)
}
