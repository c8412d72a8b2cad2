import { isUuid } from '../../shared/text.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { fileRefusals } from '../../documents/contract.ts'
import { clinicFileLimit } from '../../documents/rules.ts'
import { disposition, FileRefused, acceptFile, storeRows } from '../../documents/service.ts'
import { documentFor, mailFrameHeaders } from '../../platform/mail/frame-rules.ts'
import { type EmbeddedPicture, embedPictures } from '../../platform/mail/service.ts'
import { type Body, bodyKept, bodyOf } from './bodies.ts'
import { connectionOf } from './connection.ts'
import { mailboxMessages } from './contract.ts'
import { addFile, mayTakeFile } from './drafts.ts'
import { ask, type MailboxRefusal } from './use.ts'

const no = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message }, { status, headers })

function refused({ refusal }: MailboxRefusal, what: string): Response {
  if (refusal === 'NOT_FOUND' || refusal === 'REFUSED') return no(404, 'NOT_FOUND', `This ${what} does not exist`)
  if (refusal === 'NOT_CONNECTED') return no(409, refusal, mailboxMessages.none)
  if (refusal === 'RECONNECT') return no(409, refusal, mailboxMessages.reconnect)
  return no(503, refusal, refusal === 'BUSY' ? mailboxMessages.busy : mailboxMessages.away)
}

/** An email of the actor's own mailbox, from the cache or the provider. */
async function findBody(scope: Scope, id: string): Promise<Body | MailboxRefusal> {
  const connection = await connectionOf(scope.db, staff(scope).id)
  const kept = connection && bodyKept(connection.id, id)
  if (kept) return kept
  const asked = await ask(scope, (mailbox) => mailbox.message(id))
  return isRefusal(asked) ? asked : bodyOf(asked.connection.id, asked.value)
}

/** GET /api/mailbox/messages/{id}/mail: an email's HTML as the document of its frame. @param showRemote whether to load remote images. */
export async function mailResponse(scope: Scope, id: string, showRemote: boolean): Promise<Response> {
  const body = await findBody(scope, id)
  if (isRefusal(body)) return refused(body, 'message')
  if (body.html === null) return no(404, 'NOT_FOUND', 'This message has words alone')
  const html = await embedPictures(body.html, (contentId) => findPicture(scope, id, body, contentId))
  return new Response(documentFor(html, { showRemote }), { headers: mailFrameHeaders({ showRemote }) })
}

/** The inline image with a content id. Null: missing or unavailable; the email is still shown without it. */
async function findPicture(scope: Scope, id: string, { attachments }: Body, contentId: string): Promise<EmbeddedPicture | null> {
  const found = attachments.find((one) => one.contentId === contentId && one.isShown)
  if (!found) return null
  const asked = await ask(scope, (mailbox) => mailbox.attachment(id, found.id))
  if (isRefusal(asked)) return null
  return { mimeType: found.mimeType, bytes: new Uint8Array(await new Response(asked.value).arrayBuffer()) }
}

/** GET /api/mailbox/messages/{id}/attachments/{attachmentId}: the bytes, always as a download. */
export async function attachmentResponse(scope: Scope, id: string, attachmentId: string): Promise<Response> {
  const body = await findBody(scope, id)
  if (isRefusal(body)) return refused(body, 'attachment')
  const attachment = body.attachments.find((one) => one.id === attachmentId)
  if (!attachment) return no(404, 'NOT_FOUND', 'This attachment does not exist')
  const asked = await ask(scope, (mailbox) => mailbox.attachment(id, attachmentId))
  if (isRefusal(asked)) return refused(asked, 'attachment')
  return new Response(asked.value, {
    headers: {
      // Whatever type the sender declares: it is never rendered here.
      'content-type': 'application/octet-stream',
      'content-disposition': disposition(attachment.name),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

/** POST /api/mailbox/drafts/{id}/files?name=…: adds a file; the body is its bytes. */
export async function uploadResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  // The rest of a refused body is not read, so the connection cannot be reused.
  const close = { connection: 'close' }
  const noDraft = () => no(404, 'NOT_FOUND', 'This draft does not exist', close)
  if (!isUuid(id) || !(await mayTakeFile(scope, id))) return noDraft()
  try {
    const file = await acceptFile(
      scope,
      { name: new URL(request.url).searchParams.get('name') ?? '', limit: clinicFileLimit },
      request.body ?? nothing(),
    )
    const added = await storeRows(scope, [file], () => addFile(scope, id, file))
    if (added === null) return noDraft()
    if (!isRefusal(added)) return Response.json(added, { status: 201 })
    return added.refusal === 'SENDING'
      ? no(409, added.refusal, 'This email is already being sent')
      : no(422, added.refusal, added.data.fields.files)
  } catch (error) {
    if (error instanceof FileRefused) return no(fileRefusals[error.code].status, error.code, error.message, close)
    throw error
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
