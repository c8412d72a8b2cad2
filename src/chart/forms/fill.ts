import { desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { OwnForm } from './contract.ts'
import type { FormDefinition } from './definition-rules.ts'
import type { Language, Words } from '../../shared/translations.ts'
import { allQuestions, applyChanges, asksForFiles, checkAnswers, fileIdsOf, type GivenAnswers, progressOf, redFlags } from './rules.ts'
import { type FormRow, recordFormChange } from './sending.ts'
import { closedCode } from './status-rules.ts'
import { formVersions, forms } from './table.ts'
import { ownFilesFor } from './files.ts'
import { followFlags } from './red-flags.ts'
import { askForReview } from './review.ts'

/** The scope of a session that a code has proved. */
type OwnScope = Scope & { patient: VerifiedContactId }

interface Saved {
  id: string
  /** The one that the page has read. */
  revision: number
  language: Language
}

/** Reads and writes of the table of forms run as the patient, so that the database itself refuses those of others. */
const readOwn = (tx: Db, { env, patient }: OwnScope, id: string): Promise<FormRow[]> =>
  asPatient(tx, env, patient, (own) => own.select().from(forms).where(eq(forms.id, id)))
const lockOwn = (tx: Db, { env, patient }: OwnScope, id: string): Promise<FormRow[]> =>
  asPatient(tx, env, patient, (own) => own.select().from(forms).where(eq(forms.id, id)).for('update'))

/** A form in the patient's list. */
export type OwnFormLine = Pick<FormRow, 'id' | 'status' | 'progress' | 'sentAt' | 'expiresAt' | 'submittedAt'> & { title: Words }

/** The columns that the portal's role may change (portal/guard.ts). */
type OwnChange = Pick<FormRow, 'revision' | 'language'> &
  Partial<Pick<FormRow, 'status' | 'answers' | 'progress' | 'startedAt' | 'submittedAt' | 'redFlags'>>

async function writeOwn(tx: Db, scope: OwnScope, before: FormRow, change: OwnChange): Promise<FormRow> {
  const [row] = await asPatient(tx, scope.env, scope.patient, (own) =>
    own.update(forms).set(change).where(eq(forms.id, before.id)).returning(),
  )
  return row!
}

async function definitionOf(tx: Db, { versionId }: FormRow): Promise<FormDefinition> {
  const [version] = await tx.select({ definition: formVersions.definition }).from(formVersions).where(eq(formVersions.id, versionId))
  return version!.definition
}

const todayOf = ({ now, env }: Scope): string => dayAt(now(), env.PRACTICE_TIME_ZONE)

async function toOwnForm(tx: Db, scope: OwnScope, form: FormRow, definition: FormDefinition): Promise<OwnForm> {
  const known = await ownFilesFor(tx, scope, definition)
  const files = fileIdsOf(definition, form.answers).flatMap((id) => (known.has(id) ? { id, ...known.get(id)! } : []))
  return { ...form, definition, today: todayOf(scope), files }
}

/** The patient's forms without their answers, newest first; withdrawn ones are left out. */
export async function listOwnForms(scope: OwnScope): Promise<OwnFormLine[]> {
  const rows = await scope.db.transaction(async (tx) => {
    const own = await asPatient(tx, scope.env, scope.patient, (db) =>
      db.select().from(forms).where(ne(forms.status, 'withdrawn')).orderBy(desc(forms.sentAt), desc(forms.id)),
    )
    const versions = await tx
      .select({ id: formVersions.id, title: sql<Words>`${formVersions.definition}->'title'` })
      .from(formVersions)
      .where(
        inArray(
          formVersions.id,
          own.map(({ versionId }) => versionId),
        ),
      )
    const titles = new Map(versions.map(({ id, title }) => [id, title]))
    return own.map((form) => ({ ...form, title: titles.get(form.versionId)! }))
  })
  if (rows.length > 0) await scope.recordView({ kind: 'form', contactIds: [scope.patient] })
  return rows.map(({ id, title, status, progress, sentAt, expiresAt, submittedAt }) => ({
    id,
    title,
    status,
    progress,
    sentAt,
    expiresAt,
    submittedAt,
  }))
}

/** The form with the answers so far. Null: the patient has no such form. */
export async function getOwnForm(scope: OwnScope, id: string) {
  const found = await scope.db.transaction(async (tx) => {
    const [form] = await readOwn(tx, scope, id)
    const definition = form && (await definitionOf(tx, form))
    return definition && { form, own: await toOwnForm(tx, scope, form, definition) }
  })
  if (!found) return null
  await scope.recordView({ kind: 'form', contactIds: [scope.patient] })
  const closed = closedCode(found.form, scope.now())
  return closed === null ? found.own : refuse(closed)
}

/** Whether files can be added to this form: it is the patient's, open, and asks for some. */
export async function takesFiles(scope: OwnScope, id: string): Promise<boolean> {
  return scope.db.transaction(async (tx) => {
    const [form] = await readOwn(tx, scope, id)
    return form !== undefined && closedCode(form, scope.now()) === null && allQuestions(await definitionOf(tx, form)).some(asksForFiles)
  })
}

/**
 * Saves changed answers, each checked on its own: a wrong one is named in `problems` and keeps no other from being saved. CHANGED: another
 * device has saved since, with what the form contains now. Null: the patient has no such form.
 */
export const saveOwnForm = (scope: OwnScope, { id, revision, language, changes }: Saved & { changes: GivenAnswers }) =>
  transact(scope.db, async (tx) => {
    const [before] = await lockOwn(tx, scope, id)
    if (!before) return null
    const closed = closedCode(before, scope.now())
    if (closed !== null) return refuse(closed)
    const definition = await definitionOf(tx, before)
    if (before.revision !== revision) return refuse('CHANGED', { current: await toOwnForm(tx, scope, before, definition) })
    const files = await ownFilesFor(tx, scope, definition)
    const { answers, problems } = applyChanges(definition, before.answers, changes, todayOf(scope), files)
    const after = await writeOwn(tx, scope, before, {
      status: 'started',
      startedAt: before.startedAt ?? scope.now(),
      answers,
      language,
      progress: progressOf(definition, answers),
      revision: revision + 1,
    })
    await recordFormChange(tx, scope, before, after)
    return { revision: after.revision, progress: after.progress, problems }
  })

/**
 * Submits what is stored, once. Repeating it answers the same. INCOMPLETE: what is missing or wrong, by question. CHANGED: another device has
 * saved since. Null: the patient has no such form.
 */
export const submitOwnForm = (scope: OwnScope, { id, revision, language }: Saved) =>
  transact(scope.db, async (tx) => {
    const [before] = await lockOwn(tx, scope, id)
    if (!before) return null
    if (before.status === 'submitted' && before.revision === revision) return { submittedAt: before.submittedAt! }
    const closed = closedCode(before, scope.now())
    if (closed !== null) return refuse(closed)
    const definition = await definitionOf(tx, before)
    if (before.revision !== revision) return refuse('CHANGED', { current: await toOwnForm(tx, scope, before, definition) })
    const problems = checkAnswers(definition, before.answers, todayOf(scope), await ownFilesFor(tx, scope, definition))
    if (problems.length > 0) return refuse('INCOMPLETE', { problems })
    const submittedAt = scope.now()
    const after = await writeOwn(tx, scope, before, {
      status: 'submitted',
      startedAt: before.startedAt ?? submittedAt,
      submittedAt,
      language,
      progress: 100,
      revision,
      redFlags: redFlags(definition, before.answers),
    })
    await recordFormChange(tx, scope, before, after)
    await askForReview(tx, after, definition)
    await followFlags(tx, scope, after)
    return { submittedAt }
  })
