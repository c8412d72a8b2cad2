import { desc, eq } from 'drizzle-orm'
import type { Scope } from '../kernel/scope.ts'
import { documents } from '../documents/table.ts'
import { renderCard, cardTexts, implantsOf } from '../care/implants/service.ts'
import { contacts } from '../crm/contacts/table.ts'
import { toLanguage } from '../shared/translations.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { PortalDocument } from './contract.ts'
import { openSigned, signedQuery } from './file-links.ts'
import type { PatientScope } from './sessions.ts'

/** Hides infected files, except the patient's own uploads. */
const isShown = ({ scanState, uploadSource }: typeof documents.$inferSelect) => scanState !== 'infected' || uploadSource === 'patient'
const isOpenable = ({ scanState }: Pick<typeof documents.$inferSelect, 'scanState'>) => scanState === 'clean' || scanState === 'off'

/** The documents that the patient may see, newest first, each with a link that works for one minute. */
export async function listOwn(scope: PatientScope): Promise<PortalDocument[]> {
  const card = await ownCard(scope)
  const rows = await scope.db.transaction((tx) =>
    asPatient(tx, scope.env, scope.patient, (own) => own.select().from(documents).orderBy(desc(documents.createdAt), desc(documents.id))),
  )
  await scope.recordView({ kind: 'document', contactIds: [scope.patient] })
  const link = (id: string, as: 'file' | 'preview') =>
    `/api/functions/patient-document-file/${id}?as=${as}&${signedQuery(scope, { id, as })}`
  const own = rows.filter(isShown).map((row) => ({
    id: row.id,
    name: row.name,
    type: row.mimeType,
    upload_source: row.uploadSource,
    size: row.size,
    created_at: row.createdAt,
    review_state: row.reviewState,
    reject_reason: row.rejectReason,
    signedUrl: isOpenable(row) ? link(row.id, 'file') : null,
    previewUrl: isOpenable(row) && row.mimeType === 'image/heic' ? link(row.id, 'preview') : null,
  }))
  return [...(card ? [card] : []), ...own].toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
}

/** The implant card of a patient who has or had implants, made when it is opened. */
async function ownCard(scope: PatientScope): Promise<PortalDocument | null> {
  const { db, patient } = scope
  const implants = await implantsOf(db, patient)
  const [contact] = await db.select({ language: contacts.preferredLanguage }).from(contacts).where(eq(contacts.id, patient))
  if (implants.length === 0 || !contact) return null
  return {
    id: patient,
    name: `${cardTexts[toLanguage(contact.language) ?? 'en']('title')}.pdf`,
    type: 'application/pdf',
    upload_source: 'clinic',
    size: null,
    created_at: new Date(Math.max(...implants.map(({ usedAt, openedAt }) => (usedAt ?? openedAt).getTime()))),
    review_state: 'accepted',
    reject_reason: null,
    signedUrl: `/api/functions/patient-implant-card/${patient}?${signedQuery(scope, { id: patient, as: 'implant card' })}`,
    previewUrl: null,
  }
}

/** The card of a link, if link and session are valid; otherwise null. */
export async function openCardLink(scope: Scope, id: string, query: URLSearchParams) {
  const own = await openSigned(scope, { id, as: 'implant card' }, query)
  if (!own || own.patient !== id) return null
  const card = await renderCard(own, own.patient)
  return card && { scope: own, card }
}

/** The document of a link, if link and session are valid and the patient may see it; otherwise null. */
export async function openLink(scope: Scope, id: string, query: URLSearchParams) {
  const as = query.get('as') === 'preview' ? 'preview' : 'file'
  const own = await openSigned(scope, { id, as }, query)
  if (!own) return null
  const row = await findOwn(own, id)
  if (!row || !isOpenable(row)) return null
  return { scope: own, row, as }
}

async function findOwn(scope: PatientScope, id: string) {
  const rows = await scope.db.transaction((tx) =>
    asPatient(tx, scope.env, scope.patient, (own) => own.select().from(documents).where(eq(documents.id, id))),
  )
  return rows[0] ?? null
}
