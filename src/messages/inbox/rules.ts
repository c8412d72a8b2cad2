export const conversationStatuses = ['active', 'archived'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]
/** Spec 4: 'sent' and 'received'; before and beside them what may become of a mail on its way. */
export const messageStatuses = ['received', 'queued', 'sent', 'failed', 'bounced'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** What mail programs of several languages put before the subject of an answer. */
const prefix = /^(?:(?:re|fw|fwd|aw|wg|sv|vs|tr|rv|antw|odp|réf|ré)\s*(?:\[\d{1,4}\]|\(\d{1,4}\))?\s*[:：]\s*)+/iu

/** By what a subject is the same as another: without the marks of an answer, spaces and case. */
export const subjectKeyOf = (subject: string): string =>
  subject.trim().replace(prefix, '').replace(/\s+/g, ' ').trim().toLocaleLowerCase('en-CA').slice(0, 200)

/** The subject of an answer: marked once. */
export const replySubject = (subject: string): string => (/^re\s*:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`)

/** Where answers go: the reply address with the conversation's hash after a plus, which the provider tells apart again. */
export function replyAddress(address: string, threadId: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${threadId}${address.slice(at)}`
}

const snippetLength = 160

/** Where a text begins to quote. */
const quoted = /^[^\S\n]*(?:>|-{2,}[^\S\n]*original message)/im
/** Of a text, for a snippet and the white space within it. */
export const snippetSource = 300

/** The beginning of what someone wrote, in one line and without what they quote. */
export function snippetOf(text: string): string {
  const body = text.slice(0, snippetSource)
  const quote = body.search(quoted)
  const own = quote > 0 ? body.slice(0, quote) : body
  const line = own.replace(/\s{2,}|[^\S ]/g, ' ').trim()
  return line.length <= snippetLength ? line : `${line.slice(0, snippetLength - 1).trimEnd()}…`
}

/** What a patient's timeline says of a mail. */
export const entryOf = ({ direction, body, subject }: { direction: Direction; body: string; subject: string }): string =>
  snippetOf(body) || (direction === 'inbound' ? 'An email without text' : subject)
