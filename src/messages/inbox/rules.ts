export const conversationStatuses = ['active', 'archived'] as const
export type ConversationStatus = (typeof conversationStatuses)[number]
/** Where a message is written and read. The portal's reach the patient there; email only says that an answer waits. A text goes to a phone number. */
export const channels = ['email', 'portal', 'sms'] as const
export type Channel = (typeof channels)[number]
/** Why a channel or an address cannot be used to write to someone. */
export const wayProblems = ['bounce', 'complaint', 'stopped', 'incomplete', 'landline', 'other', 'country', 'not-set-up'] as const
export type WayProblem = (typeof wayProblems)[number]
/** The subject of a patient's conversation in the portal, as staff see it. */
export const portalSubject = 'Portal messages'
export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]
/**
 * Spec 4: 'sent' and 'received'; plus the other states of a message in transit. Of texts and commercial emails: 'sending' is being handed over,
 * 'uncertain' may have left. Of texts: 'delivered' has reached the phone.
 */
export const messageStatuses = ['received', 'queued', 'sending', 'uncertain', 'sent', 'delivered', 'failed', 'bounced'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** What sent an automatic message, by the name that it had then. */
export const originKinds = ['sequence', 'campaign'] as const
export type MessageOrigin = { kind: (typeof originKinds)[number]; name: string }
/** Null: a person wrote the message, or the system for one patient. */
export const originOf = ({ metadata }: { metadata: Record<string, unknown> | null }): MessageOrigin | null =>
  (metadata?.origin as MessageOrigin | undefined) ?? null

/** Prefixes that mail programs put before the subject of a reply, in several languages. */
const prefix = /^(?:(?:re|fw|fwd|aw|wg|sv|vs|tr|rv|antw|odp|réf|ré)\s*(?:\[\d{1,4}\]|\(\d{1,4}\))?\s*[:：]\s*)+/iu

/** A normalized subject for comparison: without reply prefixes, extra spaces and case. */
export const subjectKeyOf = (subject: string): string =>
  subject.trim().replace(prefix, '').replace(/\s+/g, ' ').trim().toLocaleLowerCase('en-CA').slice(0, 200)

/** The subject of a reply, with one prefix. */
export const replySubject = (subject: string): string => (/^re\s*:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`)

/** The reply address: the conversation's hash follows a plus sign, and the provider separates it again. */
export function replyAddress(address: string, threadId: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${threadId}${address.slice(at)}`
}

const snippetLength = 160

/** Where quoted text starts. */
const quoted = /^[^\S\n]*(?:>|-{2,}[^\S\n]*original message)/im
/** Characters of a text that are read for a snippet, whitespace included. */
export const snippetSource = 300

/** The beginning of the sender's own text, on one line and without quotes. */
export function snippetOf(text: string): string {
  const body = text.slice(0, snippetSource)
  const quote = body.search(quoted)
  const own = quote > 0 ? body.slice(0, quote) : body
  const line = own.replace(/\s{2,}|[^\S ]/g, ' ').trim()
  return line.length <= snippetLength ? line : `${line.slice(0, snippetLength - 1).trimEnd()}…`
}

/** The timeline entry of an email. */
export const entryOf = ({ direction, body, subject }: { direction: Direction; body: string; subject: string }): string =>
  snippetOf(body) || (direction === 'inbound' ? 'An email without text' : subject)

/** What a patient may write in the portal: characters of a message, and messages within an interval in milliseconds. */
export const ownLimits = { text: 4_000, perInterval: 20, interval: 60 * 60_000 }
