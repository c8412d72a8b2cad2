/** A message as the mailboxes keep it. The vendors' shapes are made from it. */

export type Address = { name: string; email: string }

export type Attachment = {
  id: string
  filename: string
  contentType: string
  /** Without angle brackets; the HTML refers to it as `cid:`. */
  contentId?: string | undefined
  /** It belongs to the HTML. Gmail gives ordinary files a content id as well. */
  isInline?: boolean | undefined
  /** Made when it is first asked for. */
  content: () => Buffer
}

/**
 * `labels` are Gmail's: INBOX, SENT, DRAFT, SPAM, TRASH, UNREAD, STARRED and those of the clinic (Label_1 ...). A message with none of the first five
 * is archived.
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
  /** One of the two is there at least. */
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

/** What is chosen first when a message has several of them. */
const places: readonly (readonly [label: string, place: Place])[] = [
  ['TRASH', 'trash'],
  ['SPAM', 'spam'],
  ['DRAFT', 'drafts'],
  ['INBOX', 'inbox'],
  ['SENT', 'sent'],
]

/** The one folder that a message lies in where there are folders instead of labels. */
export function placeOf(labels: ReadonlySet<string>): Place {
  return places.find(([label]) => labels.has(label))?.[1] ?? 'archive'
}

/** The label of a folder; undefined for the archive, which has none. */
export function labelOf(place: Place): string | undefined {
  return places.find(([, name]) => name === place)?.[0]
}

export const placeLabels: readonly string[] = places.map(([label]) => label)

/** Everybody whom the message names. */
export function peopleOf({ from, to, cc, bcc }: Message): Address[] {
  return [from, ...to, ...cc, ...bcc]
}

/** The body as plain text, also when there is HTML alone. */
export function plainText({ text, html }: Pick<Message, 'text' | 'html'>): string {
  return text ?? textOfHtml(html ?? '')
}

/** The first characters without line breaks, as mailboxes show them in their lists. */
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

/** As mail programs show plain text where they show HTML only. */
export function htmlOfText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\r?\n/g, '<br>\n')
}
