/** Messages, drafts, threads and files in Nylas’s format. Times are in seconds. */
import { type Attachment, headersOf, htmlOfText, type Mailbox, type Message, peopleOf, rawOf, snippetOf } from '../mailbox.ts'
import { folderIdsOf } from './folders.ts'
import type { Grant } from './grants.ts'

/** @param fields as in the query; 'raw_mime' leaves out almost everything else. */
export function messageShape(message: Message, grant: Grant, fields = 'standard') {
  const object = message.labels.has('DRAFT') ? 'draft' : 'message'
  const base = { grant_id: grant.id, object, id: message.id }
  if (fields === 'raw_mime') return { ...base, raw_mime: rawOf(message).toString('base64url') }
  const headers = headersOf(message).map(([name, value]) => ({ name, value }))
  const threading = ['Message-ID', 'In-Reply-To', 'References']
  return {
    ...base,
    thread_id: message.threadId,
    date: Math.floor(message.date / 1000),
    subject: message.subject,
    from: [message.from],
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    reply_to: message.replyTo,
    // Plain-text messages are converted to HTML.
    body: message.html ?? htmlOfText(message.text ?? ''),
    snippet: snippetOf(message),
    unread: message.labels.has('UNREAD'),
    starred: message.labels.has('STARRED'),
    folders: folderIdsOf(message, grant),
    attachments: message.attachments.map((file) => attachmentShape(file, grant)),
    ...(fields === 'include_headers' && { headers }),
    ...(fields === 'include_basic_headers' && { headers: headers.filter(({ name }) => threading.includes(name)) }),
    ...(fields === 'include_tracking_options' && { tracking_options: { opens: false, links: false, thread_replies: false, label: '' } }),
  }
}

export function attachmentShape({ id, filename, contentType, contentId, isInline = false, content }: Attachment, grant: Grant) {
  return {
    id,
    grant_id: grant.id,
    filename,
    content_type: contentType,
    size: content().length,
    is_inline: isInline,
    content_disposition: `${isInline ? 'inline' : 'attachment'}; filename="${filename}"`,
    ...(contentId !== undefined && { content_id: contentId }),
  }
}

/** @param messages of the thread, oldest first, at least one. */
export function threadShape(messages: readonly Message[], grant: Grant) {
  const drafts = messages.filter(({ labels }) => labels.has('DRAFT'))
  const kept = messages.filter(({ labels }) => !labels.has('DRAFT'))
  const [earliest, latest] = [messages[0]!, messages.at(-1)!]
  const newest = (sent: boolean) => kept.findLast(({ labels }) => labels.has('SENT') === sent)
  const [received, sent] = [newest(false), newest(true)]
  return {
    id: earliest.threadId,
    grant_id: grant.id,
    object: 'thread',
    subject: earliest.subject,
    snippet: snippetOf(latest),
    participants: [...new Map(messages.flatMap(peopleOf).map((person) => [person.email, person])).values()],
    message_ids: kept.map(({ id }) => id),
    draft_ids: drafts.map(({ id }) => id),
    folders: [...new Set(messages.flatMap((message) => folderIdsOf(message, grant)))],
    unread: messages.some(({ labels }) => labels.has('UNREAD')),
    starred: messages.some(({ labels }) => labels.has('STARRED')),
    has_attachments: messages.some(({ attachments }) => attachments.length > 0),
    has_drafts: drafts.length > 0,
    earliest_message_date: Math.floor(earliest.date / 1000),
    ...(received && { latest_message_received_date: Math.floor(received.date / 1000) }),
    ...(sent && { latest_message_sent_date: Math.floor(sent.date / 1000) }),
    latest_draft_or_message: messageShape(latest, grant),
  }
}

export function grantShape(grant: Grant) {
  return {
    id: grant.id,
    provider: grant.provider,
    email: grant.email,
    grant_status: grant.valid ? 'valid' : 'invalid',
    scope: ['mail.read', 'mail.send'],
    settings: {},
    created_at: grant.createdAt,
    updated_at: grant.updatedAt,
    provider_user_id: grant.email,
  }
}

export type Context = { grant: Grant; mailbox: Mailbox; now: number }
