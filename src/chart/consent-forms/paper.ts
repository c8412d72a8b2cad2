import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { toLanguage } from '../../shared/translations.ts'
import { beginningOf, dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { documents } from '../../documents/table.ts'
import { announce, describe } from './change.ts'
import { consentMessages } from './contract.ts'
import type { PhotoScope } from './definition-rules.ts'
import { addEvent } from './evidence.ts'
import { lockConsent, toConsent, type VersionRow } from './read.ts'
import { signerNames, type Substitute } from './rules.ts'
import { cancelOpen, checkSigner, find, findOpen, isFull, lockPatient } from './sending.ts'
import { currentValues, findCase } from './surgeries.ts'
import { consentForms, consentTemplateVersions } from './table.ts'

interface Paper {
  contactId: string
  templateId: string
  versionNumber: number
  surgeryId: string | null
  /** The scan, a document of the patient. */
  documentId: string
  signedOn: string
  /** Of a consent to the use of photos: what was agreed to. */
  scopes: PhotoScope[]
  substitute?: Substitute | null | undefined
}

/**
 * Records that a patient signed a version of a consent form on paper. It counts as one that is signed here, and is never sealed: what was signed is
 * the paper. One that is open for the same surgery is cancelled.
 */
export const recordPaper = (
  scope: Scope,
  { contactId, templateId, versionNumber, surgeryId, documentId, signedOn, scopes, substitute }: Paper,
) =>
  transact(scope.db, async (tx) => {
    const patient = await lockPatient(tx, contactId)
    if (!patient) return invalidReference({ contactId: 'This patient does not exist' })
    const version = await findVersion(tx, templateId, versionNumber)
    if (!version) return invalidReference({ versionNumber: consentMessages.noVersion })
    const { definition } = version
    const found = await findCase(tx, surgeryId)
    if (surgeryId !== null && found?.contactId !== contactId) return invalidReference({ surgeryId: consentMessages.noSurgery })
    if (!(await isScanOf(tx, contactId, documentId))) return invalidReference({ documentId: consentMessages.noScan })
    const zone = scope.env.PRACTICE_TIME_ZONE
    if (signedOn > dayAt(scope.now(), zone)) return invalidReference({ signedOn: consentMessages.inFuture })
    const isOffered = scopes.every((one) => definition.scopes.includes(one)) && (definition.use !== 'photos' || scopes.length > 0)
    if (!isOffered) return invalidReference({ scopes: consentMessages.noScope })
    const signer = checkSigner(patient, substitute, signedOn)
    if (signer) return signer
    if (await isRecorded(tx, templateId, documentId)) return refuse('ALREADY_RECORDED')
    if (await isFull(tx, contactId)) return refuse('TOO_MANY_CONSENTS')

    const open = await findOpen(tx, contactId, templateId, surgeryId)
    const locked = open && (await lockConsent(tx, open.form.id))
    if (locked?.form.status === 'sent') await cancelOpen(tx, scope, locked.form)
    const { procedureIds } = await currentValues(tx, scope, { contactId, surgeryId, definition })
    const [form] = await tx
      .insert(consentForms)
      .values({
        contactId,
        surgeryId,
        versionId: version.id,
        documentId,
        status: 'signed',
        sentVia: 'paper',
        sentAt: scope.now(),
        sentBy: staff(scope).id,
        language: toLanguage(patient.preferredLanguage) ?? 'en',
        substituteName: substitute?.name ?? null,
        substituteRelation: substitute?.relation ?? null,
        procedureIds,
        scopes: definition.use === 'photos' ? scopes : [],
        signedAt: beginningOf(signedOn, zone),
      })
      .returning()
    const [name] = signerNames(patient, substitute ?? null)
    const detail = { on: signedOn, signer: name, relation: substitute?.relation ?? null, version: version.number, document: documentId }
    await addEvent(tx, scope, form!.id, { kind: 'recorded', name: '', detail })
    await recordChange(tx, scope, { action: 'created', kind: 'consent form', contactIds: [contactId], after: describe(form!) })
    await announce(tx, form!)
    return toConsent(tx, scope, await find(tx, form!.id))
  })

async function findVersion(tx: Db, templateId: string, number: number): Promise<VersionRow | null> {
  const of = consentTemplateVersions
  const [version] = await tx
    .select()
    .from(of)
    .where(and(eq(of.templateId, templateId), eq(of.number, number), isNotNull(of.publishedAt)))
  return version ?? null
}

/** Locked, so that it is not deleted at the same moment. */
async function isScanOf(tx: Db, contactId: string, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.contactId, contactId), isNull(documents.deletedAt), ne(documents.scanState, 'infected')))
    .for('share')
  return row !== undefined
}

/** Whether this scan was recorded for the same consent form before, and not withdrawn. */
async function isRecorded(tx: Db, templateId: string, documentId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: consentForms.id })
    .from(consentForms)
    .innerJoin(consentTemplateVersions, eq(consentTemplateVersions.id, consentForms.versionId))
    .where(
      and(
        eq(consentForms.documentId, documentId),
        eq(consentTemplateVersions.templateId, templateId),
        ne(consentForms.status, 'withdrawn'),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Whether a document is the scan of a consent form, which would have no evidence without it. */
export async function isScanOfConsent(db: Db, documentId: string): Promise<boolean> {
  const rows = await db.select({ id: consentForms.id }).from(consentForms).where(eq(consentForms.documentId, documentId)).limit(1)
  return rows.length > 0
}
