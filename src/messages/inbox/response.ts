import { eq } from 'drizzle-orm'
import { isUuid } from '../../shared/text.ts'
import type { Scope } from '../../kernel/scope.ts'
import { disposition, sendFile } from '../../documents/service.ts'
import { documents } from '../../documents/table.ts'
import { documentFor, mailFrameHeaders } from '../../platform/mail/frame-rules.ts'
import { embedPictures } from '../../platform/mail/service.ts'
import { attachmentsOf } from './receive/attachments.ts'
import { picturesShownIn, readPicture } from './receive/pictures.ts'
import { conversations, messageAttachments, messages } from './table.ts'

const notFound = () => Response.json({ code: 'NOT_FOUND', message: 'This attachment does not exist' }, { status: 404 })

/** GET /api/inbox/attachments/{id}/file: the bytes, always as a download. An unknown sender's attachment is not a document yet. */
export async function attachmentResponse(scope: Scope, id: string): Promise<Response> {
  if (!isUuid(id)) return notFound()
  const [row] = await scope.db
    .select({ attachment: messageAttachments, document: documents, contactId: conversations.contactId })
    .from(messageAttachments)
    .innerJoin(messages, eq(messages.id, messageAttachments.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .leftJoin(documents, eq(documents.id, messageAttachments.documentId))
    .where(eq(messageAttachments.id, id))
  if (!row) return notFound()
  const { attachment, document, contactId } = row
  if (contactId) await scope.recordView({ kind: 'document', contactIds: [contactId] })
  if (document && !document.deletedAt) return sendFile(scope, document)
  const { storageKey, name, mimeType, text } = attachment
  if (text !== null) {
    const headers = {
      'content-type': mimeType,
      'content-disposition': disposition(name),
      'content-security-policy': "sandbox; default-src 'none'",
    }
    return new Response(text, { headers })
  }
  if (!storageKey) return notFound()
  if (scope.env.CLAMD_URL && attachment.sha256 !== null) {
    const message = 'Link this conversation to a patient first: only patients’ files are scanned for viruses'
    return Response.json({ code: 'NOT_SCANNED', message }, { status: 409 })
  }
  return sendFile(scope, { id: attachment.id, storageKey, name, mimeType, scanState: 'off' })
}

/**
 * GET /api/inbox/messages/{id}/mail: an email's HTML as the document of its frame. It has its own URL because a `srcdoc` would inherit the
 * page's policy, which blocks an email's styles and images. @param showRemote whether to load remote images.
 */
export async function mailResponse(scope: Scope, id: string, showRemote: boolean): Promise<Response> {
  const [row] = isUuid(id)
    ? await scope.db
        .select({ html: messages.htmlBody, contactId: conversations.contactId })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(eq(messages.id, id))
    : []
  if (row?.html == null) return Response.json({ code: 'NOT_FOUND', message: 'This message does not exist' }, { status: 404 })
  if (row.contactId) await scope.recordView({ kind: 'conversation', contactIds: [row.contactId] })
  const pictures = picturesShownIn(scope, row.html, await attachmentsOf(scope.db, [id]))
  const html = await embedPictures(row.html, async (contentId) => {
    const picture = pictures.get(contentId)
    return picture ? readPicture(scope, picture) : null
  })
  return new Response(documentFor(html, { showRemote }), { headers: mailFrameHeaders({ showRemote }) })
}
