/** A message as stored in a mailbox. The vendors' formats are derived from it. */

export type Address = { name: string; email: string }

export type Attachment = {
  id: string
  filename: string
  contentType: string
  /** Without angle brackets; the HTML refers to it as `cid:`. */
  contentId?: string | undefined
  /** Shown in the HTML. The content id alone does not tell: Gmail gives one to ordinary files too. */
  isInline?: boolean | undefined
  /** Rendered when first read. */
  content: () => Buffer
}

/**
 * `labels` are Gmail's (INBOX, SENT, DRAFT, SPAM, TRASH, UNREAD, STARRED) and the clinic's (Label_1 and so on). A message with none of the
 * first five is archived.
 */
export type Message = {
  id: string
  threadId: string
  /** Milliseconds since 1970. */
  date: number
  from: Address
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  /** At least one of `text` and `html` is set. */
  text: string | undefined
  html: string | undefined
  attachments: Attachment[]
  labels: Set<string>
  /** With angle brackets. */
  messageId: string
  inReplyTo: string | undefined
  references: string[]
}

export type Place = 'inbox' | 'sent' | 'drafts' | 'archive' | 'spam' | 'trash'

/** In order of precedence, for messages with several of these labels. */
const places: readonly (readonly [label: string, place: Place])[] = [
  ['TRASH', 'trash'],
  ['SPAM', 'spam'],
  ['DRAFT', 'drafts'],
  ['INBOX', 'inbox'],
  ['SENT', 'sent'],
]

/** The folder of a message, for providers with folders instead of labels. */
export function placeOf(labels: ReadonlySet<string>): Place {
  return places.find(([label]) => labels.has(label))?.[1] ?? 'archive'
}

/** The label of a folder; undefined for the archive, which has none. */
export function labelOf(place: Place): string | undefined {
  return places.find(([, name]) => name === place)?.[0]
}

export const placeLabels: readonly string[] = places.map(([label]) => label)

/** Everyone in the message's address headers. */
export function peopleOf({ from, to, cc, bcc }: Message): Address[] {
  return [from, ...to, ...cc, ...bcc]
}

/** The body as plain text, converted from HTML if necessary. */
export function plainText({ text, html }: Pick<Message, 'text' | 'html'>): string {
  return text ?? textOfHtml(html ?? '')
}

/** The first characters without line breaks, as shown in lists. */
export function snippetOf(message: Pick<Message, 'text' | 'html'>, length = 100): string {
  return plainText(message).replace(/\s+/g, ' ').trim().slice(0, length)
}

export function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<br\s*\/?>|<\/(p|div|tr|h[1-6]|li)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** Plain text as HTML. */
export function htmlOfText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\r?\n/g, '<br>\n')
}
