import { isUuid } from '../shared/text.ts'
import { eq } from 'drizzle-orm'
import { type Scope, staff } from '../kernel/scope.ts'
import { contacts } from '../crm/contacts/table.ts'
import { fileRefusals } from './contract.ts'
import { clinicFileLimit, documentTypes, type DocumentType } from './rules.ts'
import { sendFile, sendPreview } from './send.ts'
import { findDocument, insertDocument } from './service.ts'
import { FileRefused, takeFile } from './take.ts'

const no = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers })
const noPatient = () => no(404, 'NOT_FOUND', 'This patient does not exist', { connection: 'close' })
const noDocument = () => no(404, 'NOT_FOUND', 'This document does not exist')

/** POST /api/contacts/{id}/documents?name=…&type=…&share=true: takes a file of the clinic's; its bytes are the body. */
export async function uploadResponse(scope: Scope, contactId: string, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const type = query.get('type') ?? 'other'
  if (!isUuid(contactId)) return noPatient()
  if (!isType(type)) return no(422, 'INVALID_INPUT', 'There is no such type of document', { connection: 'close' })
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return noPatient()
  try {
    const file = await takeFile(scope, { name: query.get('name') ?? '', limit: clinicFileLimit }, request.body ?? nothing())
    const row = await scope.db.transaction(async (tx) => {
      // Someone may have deleted the patient while the bytes were on their way.
      const [still] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('share')
      if (!still) return null
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
    })
    if (!row) return noPatient()
    return Response.json({ id: row.id, name: row.name }, { status: 201 })
  } catch (error) {
    if (error instanceof FileRefused) return refused(error)
    throw error
  }
}

/** The rest of a body that is refused is not read, so the connection cannot be used again. */
const refused = ({ code, message }: FileRefused): Response => no(fileRefusals[code].status, code, message, { connection: 'close' })

async function* nothing(): AsyncGenerator<Uint8Array> {}
const isType = (text: string): text is DocumentType => (documentTypes as readonly string[]).includes(text)

/** GET /api/documents/{id}/file: the bytes, for staff. */
export async function fileResponse(scope: Scope, id: string): Promise<Response> {
  const row = isUuid(id) ? await findDocument(scope, id) : null
  if (!row) return noDocument()
  await scope.recordView({ kind: 'document', contactIds: [row.contactId] })
  return sendFile(scope, row)
}

/** GET /api/documents/{id}/preview: a picture that browsers cannot show, as one that they can. */
export async function previewResponse(scope: Scope, id: string): Promise<Response> {
  const row = isUuid(id) ? await findDocument(scope, id) : null
  if (!row) return noDocument()
  await scope.recordView({ kind: 'document', contactIds: [row.contactId] })
  return sendPreview(scope, row)
}
