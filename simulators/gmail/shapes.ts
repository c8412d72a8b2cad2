/** Messages, threads and labels in Gmail's format. */
import { bodyOf, headersOf, type Mailbox, type Message, type Part, rawOf, snippetOf, userLabels } from '../mailbox.ts'

export type Format = 'minimal' | 'full' | 'raw' | 'metadata'

const systemLabels = ['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT']

export const allLabels: readonly { id: string; name: string; type: 'system' | 'user' }[] = [
  ...systemLabels.map((id) => ({ id, name: id, type: 'system' as const })),
  ...userLabels.map(({ id, name }) => ({ id, name, type: 'user' as const })),
]

/** @param headers the headers to include with `metadata`; all if empty. */
export function messageShape(message: Message, mailbox: Mailbox, format: Format = 'full', wanted: readonly string[] = []) {
  const raw = rawOf(message)
  return {
    ...referenceShape(message),
    labelIds: [...message.labels],
    snippet: snippetShape(message),
    ...(format === 'full' && { payload: payloadShape(message) }),
    ...(format === 'metadata' && { payload: metadataShape(message, wanted) }),
    sizeEstimate: raw.length,
    ...(format === 'raw' && { raw: raw.toString('base64url') }),
    historyId: String(mailbox.historyIdOf(message)),
    internalDate: String(message.date),
  }
}

/** Gmail's snippets are HTML. */
export function snippetShape(message: Message): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return snippetOf(message, 200).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

export function referenceShape({ id, threadId }: Message) {
  return { id, threadId }
}

export function threadShape(messages: readonly Message[], mailbox: Mailbox, format: Format, wanted: readonly string[]) {
  const shown = messages.map((message) => messageShape(message, mailbox, format, wanted))
  return { id: messages[0]!.threadId, historyId: threadHistoryId(messages, mailbox), messages: shown }
}

export function threadHistoryId(messages: readonly Message[], mailbox: Mailbox): string {
  return String(Math.max(...messages.map((message) => mailbox.historyIdOf(message))))
}

export function labelShape({ id, name, type }: (typeof allLabels)[number], mailbox: Mailbox) {
  const messages = mailbox.list().filter(({ labels }) => labels.has(id))
  const unread = messages.filter(({ labels }) => labels.has('UNREAD'))
  const threads = (list: readonly Message[]) => new Set(list.map(({ threadId }) => threadId)).size
  return {
    ...labelHead({ id, name, type }),
    messagesTotal: messages.length,
    messagesUnread: unread.length,
    threadsTotal: threads(messages),
    threadsUnread: threads(unread),
  }
}

export function labelHead({ id, name, type }: (typeof allLabels)[number]) {
  return type === 'system' ? { id, name, type } : { id, name, messageListVisibility: 'show', labelListVisibility: 'labelShow', type }
}

/** The tree of the message's parts. Named parts are fetched by an attachment id, which differs each time; the others are included. */
function payloadShape(message: Message) {
  const body = bodyOf(message)
  return { ...partShape(body, ''), headers: [...headersOf(message), ...body.headers].map(([name, value]) => ({ name, value })) }
}

/** Bytes: a longer text is fetched like a file. */
const maxInline = 512 * 1024

/** The content of an attachment id of this message. */
export function findContent(message: Message, attachmentId: string): Buffer | undefined {
  const [name = ''] = attachmentId.split('~')
  if (!name.startsWith('part-')) return message.attachments.find(({ id }) => id === name)?.content()
  const places = name.slice('part-'.length).split('.')
  const part = places.reduce<Part | undefined>((at, place) => (place === '' ? at : at?.parts[Number(place)]), bodyOf(message))
  return part?.content?.bytes()
}

function partShape(part: Part, partId: string): Record<string, unknown> {
  const bytes = part.content?.bytes()
  const isLong = bytes !== undefined && bytes.length > maxInline
  const attachment = part.content?.attachment ?? (isLong ? { id: `part-${partId}` } : undefined)
  const data = attachment ? { attachmentId: `${attachment.id}~${crypto.randomUUID()}` } : bytes && { data: bytes.toString('base64url') }
  return {
    partId,
    mimeType: part.type,
    filename: part.filename,
    headers: part.headers.map(([name, value]) => ({ name, value })),
    body: { size: bytes?.length ?? 0, ...data },
    ...(part.parts.length > 0 && {
      parts: part.parts.map((one, index) => partShape(one, partId === '' ? String(index) : `${partId}.${index}`)),
    }),
  }
}

function metadataShape(message: Message, wanted: readonly string[]) {
  const names = wanted.map((name) => name.toLowerCase())
  const body = bodyOf(message)
  const headers = [...headersOf(message), ...body.headers].filter(([name]) => names.length === 0 || names.includes(name.toLowerCase()))
  return { mimeType: body.type, headers: headers.map(([name, value]) => ({ name, value })) }
}
