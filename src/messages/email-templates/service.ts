import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import type { ConsentChannel } from '../../crm/consent/rules.ts'
import { maxTextLength, plainText } from '../inbox/text-rules.ts'
import { placeholdersIn } from '../../shared/placeholders.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type ChangedTemplate, maxTemplates, type NewTemplate, type Template, templateMessages } from './contract.ts'
import { clinicalProblem } from './clinical-rules.ts'
import { clinicalWordsOf, findClinicalWords } from './clinical-words.ts'
import {
  copyName,
  htmlFromText,
  type MissingVariables,
  missingOf,
  namesLeftOut,
  practiceVariables,
  render,
  renderSubject,
  samplePatient,
  templateLanguage,
  templateNames,
  templateTitle,
  type TemplateValues,
  templateVariables,
  textVariables,
  valuesFor,
} from './rules.ts'
import { starters } from './starters.ts'
import { emailTemplates } from './table.ts'
import { company, valuesOfContact, valuesOfContacts } from './values.ts'

export { findClinicalWords } from './clinical-words.ts'
export { company, valuesOfContact, valuesOfContacts } from './values.ts'

/** By name, without the body. */
export async function listTemplates(
  { db }: Scope,
  { category, channel }: { category?: string | undefined; channel?: ConsentChannel | undefined } = {},
) {
  const { id, name, channel: ofChannel, subject, category: ofTemplate, updatedAt, version, createdBy } = emailTemplates
  return db
    .select({
      id,
      name,
      channel: ofChannel,
      subject,
      beginning: sql<string | null>`case when ${ofChannel} = 'text' then left(${emailTemplates.body}, 160) end`,
      category: ofTemplate,
      updatedAt,
      isDefault: sql<boolean>`${version} = 1 and ${createdBy} is null`,
    })
    .from(emailTemplates)
    .where(and(category === undefined ? undefined : eq(ofTemplate, category), channel === undefined ? undefined : eq(ofChannel, channel)))
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
 * values. `language`: of the patient; a template in this language is preferred. `channel`: email by default; a text message has no HTML. `orStarter`: falls back to the starter template with this name.
 */
export async function renderTemplate(
  db: Db,
  env: Env,
  name: string,
  contactId: string,
  {
    more,
    language = 'en',
    channel = 'email',
    orStarter = false,
  }: { more?: TemplateValues; language?: Language; channel?: ConsentChannel; orStarter?: boolean } = {},
) {
  const names = templateNames(name, language, channel)
  const lowerName = sql<string>`lower(${emailTemplates.name})`
  const kept = await db
    .select()
    .from(emailTemplates)
    .where(and(inArray(lowerName, names), eq(emailTemplates.channel, channel)))
  const template = names
    .map((wanted) => kept.find((one) => one.name.toLowerCase() === wanted) ?? (orStarter ? starterOf(wanted) : undefined))
    .find((found) => found !== undefined)
  const known = template && (await valuesOfContact(db, env, contactId, language))
  if (!known) return null
  return { ...filled(template, { ...known, ...more }), category: template.category }
}

type Words = Pick<Template, 'subject' | 'body' | 'variables'>

function filled({ subject, body, variables }: Words, values: TemplateValues) {
  const html = variables.html_content?.trim() ? variables.html_content : htmlFromText(body)
  return { subject: renderSubject(subject, values), text: render(body, values, 'text'), html: render(html, values, 'html') }
}

export type FilledTemplate = {
  template: Template
  subject: string
  text: string
  /** Null for a text message. */
  html: string | null
  missing: MissingVariables
  /** Of a text message: words that it must not contain, although the template may not. */
  clinicalWords: string[]
}

/**
 * Fills in a template for patients, given with their languages: the version in the patient's language of the template with this id, if there is
 * one. `more`: additional values. By patient; those who do not exist are left out. Null when the template does not exist.
 */
export async function fillTemplates(
  db: Db,
  env: Env,
  { templateId, languages, more }: { templateId: string; languages: ReadonlyMap<string, Language>; more?: TemplateValues | undefined },
): Promise<Map<string, FilledTemplate> | null> {
  const [named] = await db.select().from(emailTemplates).where(eq(emailTemplates.id, templateId))
  if (!named) return null
  const versions = new Map<Language, Template>()
  for (const language of new Set(languages.values())) versions.set(language, (await versionIn(db, named, language)) ?? named)
  const known = await valuesOfContacts(db, env, languages)
  const clinicalWordsIn = named.channel === 'text' ? await clinicalWordsOf(db, env) : () => []
  return new Map(
    [...known].map(([contactId, own]): [string, FilledTemplate] => {
      const template = versions.get(languages.get(contactId)!)!
      const values = { ...own, ...more }
      const { subject, body, variables } = template
      if (template.channel === 'email') {
        const missing = missingOf([subject, body, variables.html_content ?? ''], values)
        return [contactId, { template, ...filled(template, values), missing, clinicalWords: [] }]
      }
      const text = plainText(render(body, values, 'text'))
      const clinicalWords = clinicalWordsIn(render(body, namesLeftOut(values), 'text'))
      return [contactId, { template, subject: '', text, html: null, missing: missingOf(body, values), clinicalWords }]
    }),
  )
}

/** Variables that these templates or their French versions contain and that have a value for no patient, whose messages are sent by rule. */
export async function missingForAll(db: Db, env: Env, templateIds: readonly string[]) {
  if (templateIds.length === 0) return []
  const named = await db
    .select()
    .from(emailTemplates)
    .where(inArray(emailTemplates.id, [...templateIds]))
    .orderBy(emailTemplates.name)
  const values = valuesFor(samplePatient, company(env))
  const found = []
  for (const one of named)
    for (const template of new Map([one, (await versionIn(db, one, 'fr')) ?? one].map((version) => [version.id, version])).values()) {
      const { unknown, empty } = missingOf([template.subject, template.body, template.variables.html_content ?? ''], values)
      for (const variable of [...unknown, ...empty])
        found.push({
          templateId: template.id,
          template: templateTitle(template.name),
          variable,
          isPractice: practiceVariables.some((name) => name === variable),
        })
    }
  return found
}

/** The template of the same channel that the language's rule of names finds. */
async function versionIn(db: Db, { name, channel }: Template, language: Language): Promise<Template | undefined> {
  const base = templateLanguage(name) === 'fr' ? name.slice(0, -'_fr'.length) : name
  const [wanted] = templateNames(base, language)
  const [row] = await db
    .select()
    .from(emailTemplates)
    .where(and(eq(sql`lower(${emailTemplates.name})`, wanted!), eq(emailTemplates.channel, channel)))
  return row
}

/** Why a text message with these words is not kept as a template. */
async function problemOfText(db: Db, { env }: Pick<Scope, 'env'>, { channel, body }: Pick<Template, 'channel' | 'body'>) {
  if (channel === 'email') return null
  const invalid = (problem: string) => refuse('INVALID_TEXT', { fields: { body: problem } })
  if (body.length > maxTextLength) return invalid(templateMessages.tooLong)
  const names = placeholdersIn(body)
  const clinical = templateVariables.filter((name) => names.includes(name) && !textVariables.includes(name)).map((name) => `{{${name}}}`)
  const found = [...clinical, ...(await findClinicalWords(db, env, render(body, {}, 'text')))]
  return found.length > 0 ? invalid(clinicalProblem(found)) : null
}

function starterOf(name: string) {
  const starter = starters.find((one) => one.name === name)
  return starter && { ...starter, variables: { html_content: starter.html } }
}

export async function createTemplate(scope: Scope, template: NewTemplate) {
  return orTaken(
    scope.db.transaction(async (tx) => {
      if (await hasTooMany(tx)) return refuse('TOO_MANY')
      return (await problemOfText(tx, scope, template)) ?? insert(tx, scope, template)
    }),
  )
}

/**
 * The ids of templates by name, in any case. Those that do not exist are added in the caller's transaction, such as those of a sequence that a
 * practice starts from; an existing one keeps its words.
 */
export async function findOrAddTemplates(tx: Db, scope: Scope, wanted: readonly NewTemplate[]) {
  await tx.execute(lockAll)
  const rows = await tx.select({ id: emailTemplates.id, name: emailTemplates.name }).from(emailTemplates)
  const ids = new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
  const added = wanted.filter(({ name }) => !ids.has(name))
  if (rows.length + added.length > maxTemplates) return refuse('TOO_MANY')
  for (const template of added) ids.set(template.name, (await insert(tx, scope, template)).id)
  return ids
}

/** Changes the given fields, unless someone else has changed the template since the writer's version. */
export async function updateTemplate(scope: Scope, { id, version, ...change }: ChangedTemplate) {
  return orTaken(
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return missing(id)
      if (before.version !== version) return refuse('CONFLICT', { current: before })
      const problem = await problemOfText(tx, scope, { ...before, body: change.body ?? before.body })
      if (problem) return problem
      const [row] = await tx
        .update(emailTemplates)
        .set({
          ...(before.channel === 'text' ? { ...change, subject: '', variables: { html_content: null } } : change),
          version: version + 1,
          updatedAt: scope.now(),
          updatedBy: staff(scope).id,
        })
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
    const { channel, subject, body, category, variables } = template
    const name = copyName(
      template.name,
      rows.map((row) => row.name),
    )
    return insert(tx, scope, { name, channel, subject, body, category, variables })
  })
}

async function insert(tx: Db, scope: Scope, template: NewTemplate): Promise<Template> {
  const [at, by] = [scope.now(), staff(scope).id]
  const [row] = await tx
    .insert(emailTemplates)
    .values({ ...forChannel(template), createdAt: at, createdBy: by, updatedAt: at, updatedBy: by })
    .returning()
  await changed(tx, scope, 'created', undefined, row)
  return row!
}

/** A text message has no subject and no HTML. */
const forChannel = (template: NewTemplate): NewTemplate =>
  template.channel === 'text' ? { ...template, subject: '', variables: { html_content: null } } : template

async function lock(tx: Db, id: string): Promise<Template | undefined> {
  const [row] = await tx.select().from(emailTemplates).where(eq(emailTemplates.id, id)).for('update')
  return row
}

/** Serializes additions, so neither the maximum number nor a copy's name is exceeded or taken twice. */
const lockAll = sql`select pg_advisory_xact_lock(hashtextextended('email-templates', 0))`

async function hasTooMany(tx: Db): Promise<boolean> {
  await tx.execute(lockAll)
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
