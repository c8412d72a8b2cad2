import { and, count, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { textIfPreferred } from '../../messages/inbox/service.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { consentMessages, maxConsents } from './contract.ts'
import { consentLink, consentMail } from './emails.ts'
import { addEvent } from './evidence.ts'
import { announce, closedCode, describe, mailAbout, writeConsent } from './change.ts'
import { type ConsentRow, type FoundConsent, lockConsent, selectConsents, toConsent, type VersionRow } from './read.ts'
import { requiredOf } from './required.ts'
import { isMinor, missingFields, type Substitute } from './rules.ts'
import { currentValues, findCase, type SurgeryCase } from './surgeries.ts'
import { consentForms, consentTemplateVersions } from './table.ts'
import { currentVersion } from './templates.ts'
import { consentTexts } from './texts.ts'

type Patient = typeof contacts.$inferSelect
interface Receiver {
  /** One of the patient's addresses; null makes the link only. */
  email: string | null
  /** Who signs instead of the patient; null: the patient. Has to be stated for a patient under 18. */
  substitute?: Substitute | null | undefined
}

/** Gives the published version of a consent form to a patient. */
export const sendConsent = (
  scope: Scope,
  { contactId, templateId, surgeryId, ...receiver }: { contactId: string; templateId: string; surgeryId: string | null } & Receiver,
) =>
  transact(scope.db, async (tx) => {
    const patient = await lockPatient(tx, contactId)
    if (!patient) return invalidReference({ contactId: 'This patient does not exist' })
    const version = await currentVersion(tx, templateId)
    if (!version) return invalidReference({ templateId: consentMessages.noTemplate })
    const found = await findCase(tx, surgeryId)
    if (surgeryId !== null && found?.contactId !== contactId) return invalidReference({ surgeryId: consentMessages.noSurgery })
    const to = await checkReceiver(tx, scope, patient, receiver)
    if (isRefusal(to)) return to
    if (await findOpen(tx, contactId, templateId, surgeryId)) return refuse('ALREADY_SENT')
    const form = await give(tx, scope, { patient, version, found, to, substitute: receiver.substitute ?? null })
    return isRefusal(form) ? form : toConsent(tx, scope, await find(tx, form.id))
  })

/** Gives the patient every consent form that a surgery still requires and that is not open. Null: no such surgery. */
export const sendRequired = (scope: Scope, { id, ...receiver }: { id: string } & Receiver) =>
  transact(scope.db, async (tx) => {
    const unlocked = await findCase(tx, id)
    const patient = unlocked && (await lockPatient(tx, unlocked.contactId))
    const found = patient && (await findCase(tx, id))
    if (!found) return null
    const to = await checkReceiver(tx, scope, patient, receiver)
    if (isRefusal(to)) return to
    for (const { templateId, isInForce, consent } of (await requiredOf(tx, scope, [found])).get(id) ?? []) {
      const isAwaiting = consent !== null && (consent.status === 'sent' || consent.awaitsCountersignature)
      if (isInForce || isAwaiting) continue
      const version = (await currentVersion(tx, templateId))!
      const form = await give(tx, scope, { patient, version, found, to, substitute: receiver.substitute ?? null })
      if (isRefusal(form)) return form
    }
    return (await requiredOf(tx, scope, [found])).get(id) ?? []
  })

/** Locked, so that the same form is not given twice at the same moment. */
export async function lockPatient(tx: Db, contactId: string): Promise<Patient | null> {
  const [patient] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('no key update')
  return patient ?? null
}

async function checkReceiver(tx: Db, scope: Scope, patient: Patient, { email, substitute }: Receiver) {
  const to = email === null ? null : (await emailsOf(tx, patient.id))?.find((own) => own.toLowerCase() === email.toLowerCase())
  if (to === undefined) return invalidReference({ email: consentMessages.notYourAddress })
  return checkSigner(patient, substitute, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)) ?? to
}

/** For a patient who is under age on this day, staff have to state who signs. */
export const checkSigner = ({ dateOfBirth }: Patient, substitute: Receiver['substitute'], day: string) =>
  isMinor(dateOfBirth, day) && substitute === undefined ? invalidReference({ substitute: consentMessages.signer }) : null

/** The same form that is open for the same surgery. */
export async function findOpen(tx: Db, contactId: string, templateId: string, surgeryId: string | null): Promise<FoundConsent | null> {
  const open = await selectConsents(
    tx,
    and(eq(consentForms.contactId, contactId), eq(consentTemplateVersions.templateId, templateId), eq(consentForms.status, 'sent')),
  )
  return open.find(({ form }) => form.surgeryId === surgeryId) ?? null
}

export async function isFull(tx: Db, contactId: string): Promise<boolean> {
  const [kept] = await tx.select({ total: count() }).from(consentForms).where(eq(consentForms.contactId, contactId))
  return kept!.total >= maxConsents
}

interface Given {
  patient: Patient
  version: VersionRow
  found: SurgeryCase | null
  to: string | null
  substitute: Substitute | null
}

async function give(tx: Db, scope: Scope, { patient, version, found, to, substitute }: Given) {
  const { definition } = version
  const contactId = patient.id
  const surgeryId = found?.id ?? null
  const { values } = await currentValues(tx, scope, { contactId, surgeryId, definition })
  const missing = missingFields(definition, values)
  if (missing.length > 0) return refuse('MISSING_VALUES', { missing })
  if (await isFull(tx, contactId)) return refuse('TOO_MANY_CONSENTS')
  const [form] = await tx
    .insert(consentForms)
    .values({
      contactId,
      surgeryId,
      versionId: version.id,
      sentVia: to === null ? 'link' : 'email',
      sentTo: to,
      sentAt: scope.now(),
      sentBy: staff(scope).id,
      language: toLanguage(patient.preferredLanguage) ?? 'en',
      substituteName: substitute?.name ?? null,
      substituteRelation: substitute?.relation ?? null,
    })
    .returning()
  await addEvent(tx, scope, form!.id, { kind: 'sent', name: '', detail: { version: version.number, via: form!.sentVia } })
  await recordChange(tx, scope, { action: 'created', kind: 'consent form', contactIds: [contactId], after: describe(form!) })
  await announce(tx, form!)
  if (to !== null) await enqueue(tx, mailConsent, { id: form!.id })
  return form!
}

export async function find(tx: Db, id: string): Promise<FoundConsent> {
  const [found] = await selectConsents(tx, eq(consentForms.id, id))
  return found!
}

/** Takes back a consent form that is not signed. Null: no such consent form. */
export const cancelConsent = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    const found = await lockConsent(tx, id)
    if (!found) return null
    const { status } = found.form
    if (status === 'signed' || status === 'withdrawn') return refuse('SIGNED')
    if (status !== 'sent') return toConsent(tx, scope, found)
    return toConsent(tx, scope, { ...found, form: await cancelOpen(tx, scope, found.form) })
  })

/** The caller has locked it. */
export async function cancelOpen(tx: Db, scope: Scope, before: ConsentRow): Promise<ConsentRow> {
  const cancelled = { status: 'cancelled' as const, cancelledAt: scope.now(), cancelledBy: staff(scope).id }
  const form = await writeConsent(tx, scope, before, cancelled)
  await addEvent(tx, scope, before.id, { kind: 'cancelled', name: '' })
  return form
}

/** Emails the link of an open consent form again, to the address that it was sent to. Null: no such consent form. */
export const resendConsent = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    const found = await lockConsent(tx, id)
    if (!found) return null
    const closed = closedCode(found.form)
    if (closed !== null) return refuse(closed)
    if (found.form.sentTo === null) return refuse('NOT_EMAILED')
    const [form] = await tx.update(consentForms).set({ emailProblem: null }).where(eq(consentForms.id, id)).returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'consent form',
      contactIds: [form!.contactId],
      after: { ...describe(form!), isResent: true },
    })
    await announce(tx, form!)
    await enqueue(tx, mailConsent, { id })
    return toConsent(tx, scope, { ...found, form: form! })
  })

/** Sends the link of a consent form that is still open, by text to a patient who prefers it, otherwise by email. Why it could not be sent is shown in the patient's list. */
export const mailConsent = defineJob({
  name: 'consent-forms.mail-consent',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }, attempt) {
    const [found] = await selectConsents(scope.db, eq(consentForms.id, id))
    if (!found || found.form.sentTo === null || found.form.status !== 'sent') return
    const preferredLanguage = toLanguage(found.preferredLanguage)
    const practice = scope.env.PRACTICE_NAME
    const link = consentLink(scope.env, { ...found.form, preferredLanguage })
    const text = (language: Language) => consentTexts[language]('mail.text', { practice, link })
    if (await textIfPreferred(scope, { contactId: found.form.contactId, text })) return
    await mailAbout(scope, id, consentMail(scope.env, { ...found.form, preferredLanguage }, found.form.sentTo), attempt)
  },
})
