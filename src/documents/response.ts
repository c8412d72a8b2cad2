import { isUuid } from '../shared/text.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import { type Scope, staff } from '../kernel/scope.ts'
import { contacts } from '../crm/contacts/table.ts'
import { fileRefusals } from './contract.ts'
import { clinicFileLimit, documentTypes, type DocumentType } from './rules.ts'
import { sendFile, sendPreview } from './send.ts'
import { findDocument, insertDocument } from './service.ts'
import { FileRefused, acceptFile, storeRows } from './accept-file.ts'

const errorResponse = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers })
const noPatient = () => errorResponse(404, 'NOT_FOUND', 'This patient does not exist', { connection: 'close' })
const noDocument = () => errorResponse(404, 'NOT_FOUND', 'This document does not exist')

/** POST /api/contacts/{id}/documents?name=…&type=…&share=true: accepts a file uploaded by staff; the body is its bytes. */
export async function uploadResponse(scope: Scope, contactId: string, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const type = query.get('type') ?? 'other'
  if (!isUuid(contactId)) return noPatient()
  if (!isType(type)) return errorResponse(422, 'INVALID_INPUT', 'This document type does not exist', { connection: 'close' })
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return noPatient()
  try {
    const file = await acceptFile(scope, { name: query.get('name') ?? '', limit: clinicFileLimit }, request.body ?? emptyBody())
    const insert = async (tx: Db) => {
      // Someone may have deleted the patient during the upload.
      const [locked] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('share')
      if (!locked) return null
      return insertDocument(tx, scope, {
        ...file,
        contactId,
        uploadSource: 'clinic',
        documentType: type,
        isShared: query.get('share') === 'true',
        reviewState: 'accepted',
        uploadedBy: staff(scope).id,
        createdAt: scope.now(),
      })
    }
    const row = await storeRows(scope, [file], () => scope.db.transaction(insert))
    if (!row) return noPatient()
    return Response.json({ id: row.id, name: row.name }, { status: 201 })
  } catch (error) {
    if (error instanceof FileRefused) return refusalResponse(error)
    throw error
  }
}

/** Closes the connection, because the rest of a refused body is not read. */
const refusalResponse = ({ code, message }: FileRefused): Response =>
  errorResponse(fileRefusals[code].status, code, message, { connection: 'close' })

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
const isType = (text: string): text is DocumentType => (documentTypes as readonly string[]).includes(text)

/** GET /api/documents/{id}/file: the bytes, for staff. */
export async function fileResponse(scope: Scope, id: string): Promise<Response> {
  const row = isUuid(id) ? await findDocument(scope, id) : null
  if (!row) return noDocument()
  await scope.recordView({ kind: 'document', contactIds: [row.contactId] })
  return sendFile(scope, row)
}

/** GET /api/documents/{id}/preview: converts an image that browsers cannot show. */
export async function previewResponse(scope: Scope, id: string): Promise<Response> {
  const row = isUuid(id) ? await findDocument(scope, id) : null
  if (!row) return noDocument()
  await scope.recordView({ kind: 'document', contactIds: [row.contactId] })
  return sendPreview(scope, row)
}
