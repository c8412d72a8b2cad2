import { eq, desc } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { Language } from '../../shared/translations.ts'
import { profiles } from '../../platform/auth/table.ts'
import { closedCode, recordConsentChange, toNewestVersion } from './change.ts'
import type { OwnConsent } from './contract.ts'
import type { PhotoScope } from './definition-rules.ts'
import type { PatientDevice } from './event-rules.ts'
import { addEvent, eventsOf, hashOfText } from './evidence.ts'
import { type ConsentRow, filesOf, substituteOf, type VersionRow } from './read.ts'
import { keptSigning, missingFields, renderText, signerNames, type Signing, signingProblems } from './rules.ts'
import { enqueueSeal } from './seal.ts'
import { currentValues } from './surgeries.ts'
import { consentFiles, consentForms, consentTemplateVersions } from './table.ts'
import { addFollowUp } from '../forms/service.ts'
import { endUses, withdrawnUsesOf } from '../photo-uses/service.ts'
import { withdrawalOf } from './withdrawal-rules.ts'

/*
 * What a patient does with a consent form in the portal. Reads and writes of its table run as the patient, so that the database itself refuses
 * those of others.
 */

/** The scope of a session that a code has proved. `tablet`: one of the practice, and the staff who opened it. */
type OwnScope = Scope & { patient: VerifiedContactId; tablet: { openedBy: string } | null }

/** In the newest version of its text, if it is open. Null: the patient has no such consent form. */
async function lockOwn(tx: Db, scope: OwnScope, id: string): Promise<ConsentRow | null> {
  const [form] = await asPatient(tx, scope.env, scope.patient, (own) =>
    own.select().from(consentForms).where(eq(consentForms.id, id)).for('update'),
  )
  return form ? toNewestVersion(tx, scope, form) : null
}

async function writeOwn(tx: Db, scope: OwnScope, before: ConsentRow, change: Partial<ConsentRow>): Promise<ConsentRow> {
  const [after] = await asPatient(tx, scope.env, scope.patient, (own) =>
    own.update(consentForms).set(change).where(eq(consentForms.id, before.id)).returning(),
  )
  await recordConsentChange(tx, scope, before, after!)
  return after!
}

async function versionOf(tx: Db, { versionId }: ConsentRow): Promise<VersionRow> {
  const [version] = await tx.select().from(consentTemplateVersions).where(eq(consentTemplateVersions.id, versionId))
  return version!
}

/** Adds a step of the patient, with what it was taken on. */
async function addOwnEvent(tx: Db, scope: OwnScope, id: string, { detail, ...step }: Parameters<typeof addEvent>[3]) {
  return addEvent(tx, scope, id, { ...step, detail: { ...detail, ...(await deviceUsed(tx, scope)) } })
}

async function deviceUsed(tx: Db, { tablet }: OwnScope): Promise<PatientDevice> {
  if (tablet === null) return { used: 'own device' }
  const [opener] = await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, tablet.openedBy))
  return { used: 'tablet', givenBy: opener!.name }
}

/** What it says now, in both languages, and what it names. */
async function textsOf(tx: Db, scope: OwnScope, form: ConsentRow) {
  const { definition } = await versionOf(tx, form)
  const { values, procedureIds, patient } = await currentValues(tx, scope, { ...form, definition })
  const substitute = substituteOf(form)
  const text = (language: Language) => renderText(definition, values, language, substitute)
  return {
    texts: { en: text('en'), fr: text('fr') },
    procedureIds,
    missing: missingFields(definition, values),
    names: signerNames(patient, substitute),
  }
}

function toOwnConsent(form: ConsentRow, { texts, names }: Awaited<ReturnType<typeof textsOf>>): OwnConsent {
  return {
    id: form.id,
    language: form.language,
    texts,
    hashes: { en: hashOfText(form.versionId, texts.en), fr: hashOfText(form.versionId, texts.fr) },
    signerName: names[0],
    acceptedNames: names,
    hasAsked: form.askedAt !== null,
  }
}

/** The patient's consent forms, newest first, each with the newest sealed PDF; without those that were cancelled. */
export async function listOwnConsents(scope: OwnScope) {
  const found = await scope.db.transaction(async (tx) => {
    const rows = await asPatient(tx, scope.env, scope.patient, (own) =>
      own.select().from(consentForms).orderBy(desc(consentForms.sentAt), desc(consentForms.id)),
    )
    const shown = rows.filter(({ status }) => status !== 'cancelled')
    return Promise.all(
      shown.map(async (form) => {
        const { definition } = await versionOf(tx, form)
        const [file] = await filesOf(tx, form.id)
        const needsInitials = definition.clauses.some((clause) => clause.needsInitials)
        return {
          ...form,
          isPaper: form.sentVia === 'paper',
          title: definition.title,
          use: definition.use,
          needsInitials,
          file: file ?? null,
        }
      }),
    )
  })
  if (found.length > 0) await scope.recordView({ kind: 'consent form', contactIds: [scope.patient] })
  return found
}

/** A sealed PDF of one of the patient's consent forms. Null: the patient has no such file. */
export const findOwnFile = (scope: OwnScope, id: string) =>
  scope.db.transaction(async (tx) => {
    const [file] = await tx.select().from(consentFiles).where(eq(consentFiles.id, id))
    const [form] = file
      ? await asPatient(tx, scope.env, scope.patient, (own) =>
          own.select({ id: consentForms.id }).from(consentForms).where(eq(consentForms.id, file.consentFormId)),
        )
      : []
    return file && form ? file : null
  })

/** An open consent form to read. The first opening is a step of its evidence. Null: the patient has no such consent form. */
export async function getOwnConsent(scope: OwnScope, id: string) {
  const found = await transact(scope.db, async (tx) => {
    const form = await lockOwn(tx, scope, id)
    if (!form) return null
    const closed = closedCode(form)
    if (closed !== null) return refuse(closed)
    const texts = await textsOf(tx, scope, form)
    if (texts.missing.length > 0) return refuse('NOT_READY')
    const own = toOwnConsent(form, texts)
    const isFirst = !(await eventsOf(tx, id)).some(({ kind }) => kind === 'opened')
    if (isFirst) await addOwnEvent(tx, scope, id, { kind: 'opened', name: own.signerName })
    return own
  })
  if (found) await scope.recordView({ kind: 'consent form', contactIds: [scope.patient] })
  return found
}

interface Signed {
  id: string
  /** The language and the hash of the text that was read. */
  language: Language
  textHash: string
  signing: { [Field in keyof Signing]?: unknown }
}

/**
 * Signs, once: repeating it with the same content answers the same. INCOMPLETE: what is missing. CHANGED: the text is no longer the one that
 * was read, with what it says now. NOT_READY: it names what is not known. Null: the patient has no such consent form.
 */
export const signOwnConsent = (scope: OwnScope, { id, language, textHash, signing: given }: Signed) =>
  transact(scope.db, async (tx) => {
    const before = await lockOwn(tx, scope, id)
    if (!before) return null
    if (before.status === 'signed' && before.textHash === textHash) {
      const isSame = signingProblems(before.text!, given, namesSigned(before)).length === 0 && isSameSigning(before, given as Signing)
      return isSame ? { signedAt: before.signedAt! } : refuse('SIGNED')
    }
    const closed = closedCode(before)
    if (closed !== null) return refuse(closed)
    const now = await textsOf(tx, scope, before)
    if (now.missing.length > 0) return refuse('NOT_READY')
    const text = now.texts[language]
    if (hashOfText(before.versionId, text) !== textHash) return refuse('CHANGED', { current: toOwnConsent(before, now) })
    const problems = signingProblems(text, given, now.names)
    if (problems.length > 0) return refuse('INCOMPLETE', { problems })
    const signing = keptSigning(text, given as Signing)
    const signedAt = scope.now()
    await writeOwn(tx, scope, before, {
      status: 'signed',
      language,
      text,
      textHash,
      procedureIds: now.procedureIds,
      signing,
      scopes: signing.scopes,
      signedAt,
    })
    const { initials, signature, ...rest } = signing
    const event = await addOwnEvent(tx, scope, id, {
      kind: 'signed',
      name: before.substituteName ?? text.patientName,
      detail: { ...rest, initials, signature: signature.kind, statement: text.statement, text: textHash, language },
    })
    await enqueueSeal(tx, before, event)
    return { signedAt }
  })

/** Of a repeated signing: the name that was typed. */
const namesSigned = ({ signing }: ConsentRow): string[] => (signing?.signature.kind === 'typed' ? [signing.signature.name] : [])

const isSameSigning = ({ text, signing }: ConsentRow, given: Signing): boolean =>
  canonicalJson(signing) === canonicalJson(keptSigning(text!, given))

/** Notifies staff of a question, once. Null: the patient has no such consent form. */
export const askAboutOwnConsent = (scope: OwnScope, { id, question }: { id: string; question: string | null }) =>
  transact(scope.db, async (tx) => {
    const before = await lockOwn(tx, scope, id)
    if (!before) return null
    const closed = closedCode(before)
    if (closed !== null) return refuse(closed)
    if (before.askedAt !== null) return { askedAt: before.askedAt }
    const after = await writeOwn(tx, scope, before, { askedAt: scope.now() })
    await addOwnEvent(tx, scope, id, { kind: 'asked', name: await signerNameOf(tx, scope, before), detail: { question } })
    await addFollowUp(tx, scope, after, 'A patient has a question before signing')
    return { askedAt: after.askedAt! }
  })

/** Declines, once. Null: the patient has no such consent form. */
export const declineOwnConsent = (scope: OwnScope, { id, reason }: { id: string; reason: string | null }) =>
  transact(scope.db, async (tx) => {
    const before = await lockOwn(tx, scope, id)
    if (!before) return null
    if (before.status === 'declined') return { declinedAt: before.declinedAt! }
    const closed = closedCode(before)
    if (closed !== null) return refuse(closed)
    const declinedAt = scope.now()
    await writeOwn(tx, scope, before, { status: 'declined', declinedAt, declineReason: reason })
    await addOwnEvent(tx, scope, id, { kind: 'declined', name: await signerNameOf(tx, scope, before), detail: { reason } })
    return { declinedAt }
  })

/** Withdraws a signed consent, or uses of photos (`scopes`), once. Null: the patient has no such consent form. */
export const withdrawOwnConsent = (scope: OwnScope, { id, scopes }: { id: string; scopes: PhotoScope[] | null }) =>
  transact(scope.db, async (tx) => {
    const before = await lockOwn(tx, scope, id)
    if (!before) return null
    if (before.status === 'withdrawn') return { withdrawnAt: before.withdrawnAt! }
    if (before.status !== 'signed') return refuse('NOT_SIGNED')
    const name = before.substituteName ?? before.text?.patientName ?? (await signerNameOf(tx, scope, before))
    const reach = withdrawalOf(before, scopes)
    if (reach === null) return refuse('NOT_SIGNED')
    if (reach.isRepeated) return { withdrawnAt: before.withdrawnAt! }
    const withdrawnAt = scope.now()
    await writeOwn(tx, scope, before, {
      ...reach.change,
      withdrawnAt,
      withdrawnOn: dayAt(withdrawnAt, scope.env.PRACTICE_TIME_ZONE),
      withdrawnBy: name,
      withdrawalRecordedBy: null,
    })
    const event = await addOwnEvent(tx, scope, id, { kind: 'withdrawn', name, detail: { scopes: reach.scopes } })
    await enqueueSeal(tx, before, event)
    await endUses(tx, scope, before.contactId, { ofConsent: withdrawnUsesOf({ ...before, ...reach.change }), reason: 'withdrawn' })
    return { withdrawnAt }
  })

async function signerNameOf(tx: Db, scope: OwnScope, form: ConsentRow): Promise<string> {
  const { texts } = await textsOf(tx, scope, form)
  return form.substituteName ?? texts.en.patientName
}
