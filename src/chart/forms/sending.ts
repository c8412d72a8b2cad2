import { and, count, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { maySee } from '../../kernel/access/information.ts'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue, type Job } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import { handOver } from '../../platform/mail/service.ts'
import { earliestSending, preferredNumber, textIfPreferred } from '../../messages/inbox/service.ts'
import { emailsOf, readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { maxForms, type SentForm } from './contract.ts'
import { formLink, formMail } from './emails.ts'
import { closedCode, type FormPurpose, openDays } from './status-rules.ts'
import { formMailTexts } from './texts.ts'
import { formReviews, formVersions, forms } from './table.ts'
import { currentVersion } from './templates.ts'

export type FormRow = typeof forms.$inferSelect
type Version = typeof formVersions.$inferSelect

const rowsWith = (db: Db) =>
  db
    .select({ form: forms, version: formVersions, review: formReviews, preferredLanguage: contacts.preferredLanguage })
    .from(forms)
    .innerJoin(formVersions, eq(formVersions.id, forms.versionId))
    .innerJoin(contacts, eq(contacts.id, forms.contactId))
    .leftJoin(formReviews, eq(formReviews.formId, forms.id))

const { answers: _answers, ...listedColumns } = getTableColumns(forms)
/** The same without answers and questions, which a list does not show. */
const listed = {
  form: listedColumns,
  version: {
    number: formVersions.number,
    definition: sql<Pick<Version['definition'], 'title'>>`jsonb_build_object('title', ${formVersions.definition}->'title')`,
  },
  review: formReviews,
  preferredLanguage: contacts.preferredLanguage,
}

interface Sent {
  form: Omit<FormRow, 'answers'>
  version: Pick<Version, 'number'> & { definition: Pick<Version['definition'], 'title'> }
  review: typeof formReviews.$inferSelect | null
  /** Of the patient. */
  preferredLanguage: string | null
}

/** A form as staff see it, without answers. How many red flags it raised is left out for those who do not see answers. */
export function toSentForm(scope: Pick<Scope, 'env' | 'actor'>, { form, version, review, preferredLanguage }: Sent): SentForm {
  const seesAnswers = maySee(scope.actor, 'formAnswer')
  return {
    ...form,
    title: version.definition.title,
    versionNumber: version.number,
    link: formLink(scope.env, { id: form.id, preferredLanguage: toLanguage(preferredLanguage) }),
    redFlagCount: seesAnswers ? form.redFlags.length : null,
    needsReview: seesAnswers && review !== null && review.reviewedAt === null,
  }
}

export async function findForm(db: Db, id: string) {
  const [found] = await rowsWith(db).where(eq(forms.id, id))
  return found ?? null
}

const formsOf = prepared((db) =>
  db
    .select(listed)
    .from(forms)
    .innerJoin(formVersions, eq(formVersions.id, forms.versionId))
    .innerJoin(contacts, eq(contacts.id, forms.contactId))
    .leftJoin(formReviews, eq(formReviews.formId, forms.id))
    .where(eq(forms.contactId, sql.placeholder('contactId')))
    .orderBy(desc(forms.sentAt), desc(forms.id))
    .prepare('forms'),
)

/** The forms of a patient, newest first. Null: no such patient. */
export async function listOfContact(scope: Scope, contactId: string): Promise<SentForm[] | null> {
  const rows = await readOfPatient(scope, 'form', contactId, formsOf(scope.db).execute({ contactId }))
  return rows && rows.map((row) => toSentForm(scope, row))
}

/** Sends the published version of a form. `email`: one of the patient's addresses; null makes the link only. */
export const sendForm = (scope: Scope, { contactId, templateId, email }: { contactId: string; templateId: string; email: string | null }) =>
  transact(scope.db, async (tx) => {
    // Locked, so that the same form is not sent twice at the same moment.
    const [contact] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('no key update')
    if (!contact) return invalidReference({ contactId: 'This patient does not exist' })
    const version = await currentVersion(tx, templateId)
    if (!version) return invalidReference({ templateId: 'This form is not available' })
    const to = email === null ? null : await ownAddress(tx, contactId, email)
    if (to === undefined) return invalidReference({ email: 'This is not one of the patient’s addresses' })
    const [kept] = await tx.select({ total: count() }).from(forms).where(eq(forms.contactId, contactId))
    if (kept!.total >= maxForms) return refuse('TOO_MANY')
    if (await isOpenAlready(tx, scope, contactId, templateId)) return refuse('ALREADY_SENT')
    const form = await insertForm(tx, scope, { contact, version, to, sentBy: staff(scope).id, expiresAt: expiry(scope), purpose: 'form' })
    return toSentForm(scope, { form, version, review: null, preferredLanguage: contact.preferredLanguage })
  })

const ownAddress = async (tx: Db, contactId: string, email: string): Promise<string | undefined> =>
  (await emailsOf(tx, contactId))?.find((own) => own.toLowerCase() === email.toLowerCase())

const dayMs = 24 * 3_600_000
const expiry = ({ now }: Pick<Scope, 'now'>): Date => new Date(now().getTime() + openDays * dayMs)

interface BookedForms {
  contactId: string
  templateIds: readonly string[]
  /** With which the patient books. If it is no longer one of theirs, nothing is emailed. */
  email: string
}

/**
 * Sends the forms of a visit that a patient books, in the booking's transaction. Left out are those that are not available, that the patient can
 * fill in already, or has submitted in the last `openDays` days. Returns the ids of the forms that were sent.
 */
export async function sendBookedForms(tx: Db, scope: Scope, { contactId, templateIds, email }: BookedForms): Promise<string[]> {
  if (templateIds.length === 0) return []
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('no key update')
  if (!contact) return []
  const to = (await ownAddress(tx, contactId, email)) ?? null
  const kept = await tx
    .select({ templateId: formVersions.templateId, status: forms.status, expiresAt: forms.expiresAt, submittedAt: forms.submittedAt })
    .from(forms)
    .innerJoin(formVersions, eq(formVersions.id, forms.versionId))
    .where(eq(forms.contactId, contactId))
  const since = new Date(scope.now().getTime() - openDays * dayMs)
  const isAnswered = ({ submittedAt, ...form }: (typeof kept)[number]) =>
    closedCode(form, scope.now()) === null || (submittedAt !== null && submittedAt > since)
  const wanted = templateIds.filter((id) => !kept.some((form) => form.templateId === id && isAnswered(form)))
  const sent: string[] = []
  const details = { contact, to, sentBy: null, expiresAt: expiry(scope), purpose: 'form' as const }
  for (const templateId of wanted.slice(0, Math.max(0, maxForms - kept.length))) {
    const version = await currentVersion(tx, templateId)
    if (!version) continue
    const form = await addForm(tx, scope, { ...details, version })
    sent.push(form.id)
  }
  const [id, ...others] = sent
  if (to !== null && id !== undefined) await enqueue(tx, mailForm, { id, others })
  return sent
}

/** Those of these forms that can be filled in, with the paths of their links. */
export async function openForms(db: Db, { now }: Pick<Scope, 'now'>, ids: readonly string[]) {
  const found = await rowsWith(db)
    .where(inArray(forms.id, [...ids]))
    .orderBy(forms.id)
  return found
    .filter(({ form }) => closedCode(form, now()) === null)
    .map(({ form, version, preferredLanguage }) => ({
      title: version.definition.title,
      link: formLink({ APP_URL: '' }, { id: form.id, preferredLanguage: toLanguage(preferredLanguage) }, form.sentTo ?? undefined),
    }))
}

interface NewForm {
  contact: typeof contacts.$inferSelect
  version: Pick<Version, 'id'>
  /** The address; null makes the link only. */
  to: string | null
  /** Null: sent by a schedule or with a booking. */
  sentBy: string | null
  expiresAt: Date
  purpose: FormPurpose
}

/** Inserts a form for a locked patient, and emails it in the same transaction. */
export async function insertForm(tx: Db, scope: Scope, given: NewForm): Promise<FormRow> {
  const form = await addForm(tx, scope, given)
  if (given.to !== null) await enqueue(tx, mailForm, { id: form.id })
  return form
}

async function addForm(tx: Db, scope: Scope, { contact, version, to, ...rest }: NewForm): Promise<FormRow> {
  const [form] = await tx
    .insert(forms)
    .values({
      ...rest,
      contactId: contact.id,
      versionId: version.id,
      sentVia: to === null ? 'link' : 'email',
      sentTo: to,
      sentAt: scope.now(),
      language: toLanguage(contact.preferredLanguage) ?? 'en',
    })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'form', contactIds: [contact.id], after: describe(form!) })
  await publish(tx, 'form', form!.id)
  return form!
}

/** Withdraws those of these forms that are open, for the system: what was answered so far is deleted. */
export async function endOpenForms(tx: Db, scope: Scope, ids: readonly string[]): Promise<void> {
  const open = await tx
    .select()
    .from(forms)
    .where(and(inArray(forms.id, [...ids]), inArray(forms.status, ['sent', 'started'])))
    .for('update')
  for (const before of open) {
    const [form] = await tx
      .update(forms)
      .set({ status: 'withdrawn', withdrawnAt: scope.now(), answers: {} })
      .where(eq(forms.id, before.id))
      .returning()
    await recordFormChange(tx, scope, before, form!)
  }
}

async function isOpenAlready(tx: Db, scope: Scope, contactId: string, templateId: string): Promise<boolean> {
  const open = await tx
    .select({ status: forms.status, expiresAt: forms.expiresAt })
    .from(forms)
    .innerJoin(formVersions, eq(formVersions.id, forms.versionId))
    .where(and(eq(forms.contactId, contactId), eq(formVersions.templateId, templateId), inArray(forms.status, ['sent', 'started'])))
  return open.some((form) => closedCode(form, scope.now()) === null)
}

/** Withdraws a form and deletes what was answered so far. Null: no such form. */
export const withdrawForm = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    await tx.select({ id: forms.id }).from(forms).where(eq(forms.id, id)).for('update')
    const found = await findForm(tx, id)
    if (!found) return null
    if (found.form.status === 'submitted') return refuse('SUBMITTED')
    if (found.form.status === 'withdrawn') return toSentForm(scope, found)
    const [form] = await tx
      .update(forms)
      .set({ status: 'withdrawn', withdrawnAt: scope.now(), withdrawnBy: staff(scope).id, answers: {} })
      .where(eq(forms.id, id))
      .returning()
    await recordFormChange(tx, scope, found.form, form!)
    return toSentForm(scope, { ...found, form: form! })
  })

/** Emails the link of an open form again, to the address that it was sent to. Null: no such form. */
export const resendForm = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    await tx.select({ id: forms.id }).from(forms).where(eq(forms.id, id)).for('update')
    const found = await findForm(tx, id)
    if (!found) return null
    const closed = closedCode(found.form, scope.now())
    if (closed !== null) return refuse(closed)
    if (found.form.sentTo === null) return refuse('NOT_EMAILED')
    const [form] = await tx.update(forms).set({ emailProblem: null }).where(eq(forms.id, id)).returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'form',
      contactIds: [form!.contactId],
      after: { ...describe(form!), isResent: true },
    })
    await publish(tx, 'form', id)
    await enqueue(tx, mailForm, { id })
    return toSentForm(scope, { ...found, form: form! })
  })

/** What the audit log says of a form: never what was answered. */
const describe = ({ id, status, progress, revision }: FormRow) => ({ id, status, progress, revision })

/** Publishes a change. The audit log has each change of the status, but not each save while the patient types. */
export async function recordFormChange(tx: Db, scope: Scope, before: FormRow, after: FormRow): Promise<void> {
  if (before.status !== after.status) {
    const change = { before: describe(before), after: describe(after) }
    await recordChange(tx, scope, { action: 'changed', kind: 'form', contactIds: [after.contactId], ...change })
  }
  await publish(tx, 'form', after.id)
}

const mailed = z.object({
  id: z.uuid(),
  /** Forms of the same patient that are in the same email. */
  others: z.array(z.uuid()).default([]),
  isReminder: z.boolean().default(false),
})

/**
 * Sends the links of forms that are still open in one message, by text to a patient who prefers it, otherwise by email. Why it could not be sent is
 * shown in the patient's list of forms.
 */
export const mailForm: Job<typeof mailed> = defineJob({
  name: 'forms.mail-form',
  payload: mailed,
  async run(scope, payload, attempt) {
    const { isReminder } = payload
    const ids = [payload.id, ...payload.others]
    const found = await Promise.all(ids.map((id) => findForm(scope.db, id)))
    const [first, ...rest] = found.flatMap((one) => (one && closedCode(one.form, scope.now()) === null ? [mailable(one, isReminder)] : []))
    if (!first || first.sentTo === null) return
    const { contactId, purpose } = first
    const isCheckIn = purpose === 'check_in'
    const isAutomatic = isReminder || isCheckIn
    const at = isAutomatic ? await earliestSending(scope, { contactId, channel: 'text', at: scope.now() }) : scope.now()
    if (at > scope.now() && (await preferredNumber(scope.db, scope, contactId)) !== null) {
      await enqueue(scope.db, mailForm, payload, undefined, at)
      return
    }
    const practice = scope.env.PRACTICE_NAME
    const all = [first, ...rest] as const
    const links = all.map((form) => formLink(scope.env, form)).join(' ')
    const text = (language: Language) => {
      const t = formMailTexts[language]
      return isCheckIn ? t('checkInText', { practice, link: links }) : t('text', { count: all.length, practice, links })
    }
    if (await textIfPreferred(scope, { contactId, text, until: first.expiresAt })) return
    const problem = await handOver(scope, formMail(scope.env, all, first.sentTo), attempt)
    if (!problem) return
    await scope.db.transaction(async (tx) => {
      await tx
        .update(forms)
        .set({ emailProblem: problem })
        .where(and(inArray(forms.id, ids), inArray(forms.status, ['sent', 'started'])))
      for (const id of ids) await publish(tx, 'form', id)
    })
  },
})

const mailable = ({ form, preferredLanguage }: Sent, isReminder: boolean) => ({
  ...form,
  preferredLanguage: toLanguage(preferredLanguage),
  isReminder,
})
