import { asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { toLanguage } from '../../shared/translations.ts'
import type { Consent } from './contract.ts'
import type { ConsentDefinition } from './definition-rules.ts'
import { consentLink } from './emails.ts'
import { eventsOf } from './evidence.ts'
import { missingFields, renderText, type Substitute } from './rules.ts'
import { type SignedState, shownStatus } from './status-rules.ts'
import { coveredProcedures, currentValues, findCases } from './surgeries.ts'
import { consentEvents, consentFiles, consentForms, consentTemplateVersions } from './table.ts'

export type ConsentRow = typeof consentForms.$inferSelect
export type VersionRow = typeof consentTemplateVersions.$inferSelect
/** Without the text and the signature, which lists do not show. */
export type ListedRow = Omit<ConsentRow, 'text' | 'signing'>
export interface FoundConsent<Row extends ListedRow = ListedRow> {
  form: Row
  version: Pick<ConsentDefinition, 'title' | 'use' | 'procedureIds' | 'needsCountersignature'> & { number: number; templateId: string }
  /** The newest version that has to be signed by those who signed an earlier one; 0 if there is none. */
  resignNumber: number
  /** Of the patient. */
  preferredLanguage: string | null
}

const { text: _text, signing: _signing, ...listed } = getTableColumns(consentForms)
const { number, templateId, definition } = consentTemplateVersions
/** What lists need of a version. */
export const versionSummary = {
  number,
  templateId,
  title: sql<ConsentDefinition['title']>`${definition}->'title'`,
  use: sql<ConsentDefinition['use']>`${definition}->>'use'`,
  procedureIds: sql<string[]>`${definition}->'procedureIds'`,
  needsCountersignature: sql<boolean>`(${definition}->>'needsCountersignature')::boolean`,
}
const resignNumber = sql<number>`coalesce((select max(newer.number) from consent_template_versions as newer
  where newer.template_id = ${consentTemplateVersions.templateId} and newer.must_resign and newer.published_at is not null), 0)::int`

/** Newest first. */
export const selectConsents = (db: Db, condition: SQL | undefined): Promise<FoundConsent[]> =>
  db
    .select({ form: listed, version: versionSummary, resignNumber, preferredLanguage: contacts.preferredLanguage })
    .from(consentForms)
    .innerJoin(contacts, eq(contacts.id, consentForms.contactId))
    .innerJoin(consentTemplateVersions, eq(consentTemplateVersions.id, consentForms.versionId))
    .where(condition)
    .orderBy(desc(consentForms.sentAt), desc(consentForms.id))

/** Locks a consent form, so that its steps follow one another. */
export async function lockConsent(tx: Db, id: string): Promise<FoundConsent<ConsentRow> | null> {
  await tx.select({ id: consentForms.id }).from(consentForms).where(eq(consentForms.id, id)).for('update')
  return findConsent(tx, id)
}

/** A consent form with its text and signature. */
async function findConsent(db: Db, id: string): Promise<FoundConsent<ConsentRow> | null> {
  const [form] = await db.select().from(consentForms).where(eq(consentForms.id, id))
  const [found] = form ? await selectConsents(db, eq(consentForms.id, id)) : []
  return form && found ? { ...found, form } : null
}

export const stateOf = ({ form, version, resignNumber: number }: FoundConsent): SignedState => ({
  ...form,
  versionNumber: version.number,
  resignNumber: number,
  needsCountersignature: version.needsCountersignature,
})

export const substituteOf = ({ substituteName, substituteRelation }: ListedRow): Substitute | null =>
  substituteName === null ? null : { name: substituteName, relation: substituteRelation! }

/** Consent forms as staff see them, without what they say. */
export async function toConsents(db: Db, { env }: Pick<Scope, 'env'>, found: readonly FoundConsent[]): Promise<Consent[]> {
  const cases = await findCases(db, [...new Set(found.flatMap(({ form }) => form.surgeryId ?? []))])
  return found.map((one) => {
    const { form, version, preferredLanguage } = one
    const ofCase = cases.find(({ id }) => id === form.surgeryId)?.procedures ?? []
    const needed = coveredProcedures(version, ofCase).map(({ id }) => id)
    const shown = shownStatus(stateOf(one), needed)
    return {
      ...form,
      templateId: version.templateId,
      title: version.title,
      use: version.use,
      versionNumber: version.number,
      shownStatus: shown,
      awaitsCountersignature: shown === 'signed' && version.needsCountersignature,
      substitute: substituteOf(form),
      link: consentLink(env, { id: form.id, preferredLanguage: toLanguage(preferredLanguage) }),
    }
  })
}

export const toConsent = async (db: Db, scope: Pick<Scope, 'env'>, found: FoundConsent): Promise<Consent> =>
  (await toConsents(db, scope, [found]))[0]!

/** The consent forms of a patient, newest first. Null: no such patient. */
export async function listOfContact(scope: Scope, contactId: string): Promise<Consent[] | null> {
  const found = await readOfPatient(scope, 'consent form', contactId, selectConsents(scope.db, eq(consentForms.contactId, contactId)))
  return found && toConsents(scope.db, scope, found)
}

/** The text as it was signed; as it would be signed now, if the consent form is open, with what it names that is not known. */
async function textOf(db: Db, scope: Pick<Scope, 'env'>, form: ConsentRow) {
  if (form.text) return { text: form.text, missing: [] }
  const [version] = await db.select({ definition }).from(consentTemplateVersions).where(eq(consentTemplateVersions.id, form.versionId))
  const { values } = await currentValues(db, scope, { ...form, ...version! })
  return {
    text: renderText(version!.definition, values, form.language, substituteOf(form)),
    missing: form.status === 'sent' ? missingFields(version!.definition, values) : [],
  }
}

/** A consent form with its text, signature, steps and sealed PDFs. */
export async function toWholeConsent(db: Db, scope: Pick<Scope, 'env'>, found: FoundConsent<ConsentRow>) {
  const { id } = found.form
  return {
    ...found.form,
    ...(await toConsent(db, scope, found)),
    ...(await textOf(db, scope, found.form)),
    events: await eventsOf(db, id),
    files: await filesOf(db, id),
  }
}

/** Newest first. */
export const filesOf = (db: Db, consentFormId: string) =>
  db
    .select({
      id: consentFiles.id,
      kind: consentEvents.kind,
      size: consentFiles.size,
      sha256: consentFiles.sha256,
      timestamp: consentFiles.timestamp,
      sealedAt: consentFiles.sealedAt,
      storageKey: consentFiles.storageKey,
    })
    .from(consentFiles)
    .innerJoin(consentEvents, eq(consentEvents.id, consentFiles.eventId))
    .where(eq(consentFiles.consentFormId, consentFormId))
    .orderBy(desc(consentFiles.id))

/** For those who see what consent forms say; the view is logged. Null: no such consent form. */
export async function getConsent(scope: Scope, id: string) {
  const found = await findConsent(scope.db, id)
  if (!found) return null
  await scope.recordView({ kind: 'consent form', contactIds: [found.form.contactId] })
  return toWholeConsent(scope.db, scope, found)
}

/** Of a patient, for the export of the record. */
export const sealedFilesOf = (db: Db, contactId: string) =>
  db
    .select({
      id: consentFiles.id,
      storageKey: consentFiles.storageKey,
      size: consentFiles.size,
      at: consentFiles.sealedAt,
      title: sql<string>`${consentForms.text}->>'title'`,
    })
    .from(consentFiles)
    .innerJoin(consentForms, eq(consentForms.id, consentFiles.consentFormId))
    .where(eq(consentForms.contactId, contactId))
    .orderBy(asc(consentFiles.id))
