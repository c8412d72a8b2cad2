import { desc, eq } from 'drizzle-orm'
import type { Scope } from '../kernel/scope.ts'
import { documents } from '../documents/table.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { PortalDocument } from './contract.ts'
import { openSigned, signedQuery } from './file-links.ts'
import type { PatientScope } from './sessions.ts'

/** Hides infected files, except the patient's own uploads. */
const isShown = ({ scanState, uploadSource }: typeof documents.$inferSelect) => scanState !== 'infected' || uploadSource === 'patient'
const isOpenable = ({ scanState }: Pick<typeof documents.$inferSelect, 'scanState'>) => scanState === 'clean' || scanState === 'off'

/** The documents that the patient may see, newest first, each with a link that works for one minute. */
export async function listOwn(scope: PatientScope): Promise<PortalDocument[]> {
  const rows = await scope.db.transaction((tx) =>
    asPatient(tx, scope.env, scope.patient, (own) => own.select().from(documents).orderBy(desc(documents.createdAt), desc(documents.id))),
  )
  await scope.recordView({ kind: 'document', contactIds: [scope.patient] })
  const link = (id: string, as: 'file' | 'preview') =>
    `/api/functions/patient-document-file/${id}?as=${as}&${signedQuery(scope, { id, as })}`
  return rows.filter(isShown).map((row) => ({
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
