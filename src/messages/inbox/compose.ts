import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sanitiseWritten } from '../../platform/mail/service.ts'
import { maxWrittenHtml, textOfWritten } from '../../platform/mail/written-rules.ts'
import { signed } from '../signatures/service.ts'
import { inboxMessages } from './contract.ts'

/** What staff have written: text, or the HTML of an email, not sanitized yet. */
type Words = { text: string; html: string | null }
/** A message as it comes from a composer. */
export type Composed<Message> = Omit<Message, keyof Words> & Words & { withSignature?: boolean }

/** Sanitizes the HTML, outside of transactions because it may take a second, and derives the text from it. */
export async function readWords({ text, html }: Words) {
  if (html === null) return { text, html }
  const safe = await sanitiseWritten(html)
  if (safe === null || safe.length > maxWrittenHtml) return invalidReference({ html: 'This email has too much formatting' })
  const derived = textOfWritten(safe)
  return derived === '' ? invalidReference({ text: inboxMessages.words }) : { text: derived, html: safe }
}

/** A message with its words as they are sent. */
export async function writeMail<Message extends Composed<{ contactId: string | null }>>(
  scope: Scope,
  { text, html, withSignature, ...mail }: Message,
) {
  const words = await readWords({ text, html })
  if (isRefusal(words)) return words
  return { ...mail, ...(withSignature && scope.actor ? await signed(scope.db, scope.actor.id, mail.contactId, words) : words) }
}
