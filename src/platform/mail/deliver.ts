import { createPostmark } from '../../integrations/postmark/client.ts'
import type { Scope } from '../../kernel/scope.ts'
import { withLetterhead } from './letterhead.ts'
import { type Mail, senderOf, suppressionReasons } from './rules.ts'
import { suppressionOf } from './suppression.ts'

type Sender = Pick<Scope, 'env' | 'log' | 'practice'>

/** Sends an email through Postmark. False if permanently refused, which is logged. Throws on any other failure, so that it is retried. */
export async function deliver(sender: Sender, letter: Mail): Promise<boolean> {
  const { env, log } = sender
  if (!env.POSTMARK_TOKEN) throw new Error('POSTMARK_TOKEN is not set')
  const postmark = createPostmark({ token: env.POSTMARK_TOKEN, ...(env.POSTMARK_URL ? { baseUrl: env.POSTMARK_URL } : {}) })
  const { html, picture } = await withLetterhead(sender, letter.html)
  const attachments = [...(letter.attachments ?? []), ...(picture ? [picture] : [])]
  const result = await postmark.send({
    from: senderOf(env),
    to: letter.to,
    subject: letter.subject,
    textBody: letter.text,
    htmlBody: html,
    replyTo: env.MAIL_REPLY_TO,
    messageStream: 'outbound',
    ...(attachments.length > 0 ? { attachments } : {}),
  })
  if (result.ok) return true
  log.warn({ kind: result.kind, retried: result.retryable }, 'Postmark rejected an email')
  if (result.retryable) throw new Error(`mail ${result.kind}`)
  return false
}

/**
 * Sends an email to a patient unless the address is suppressed. Null if accepted; otherwise the reason, as text after a colon. It throws as long as it
 * can be tried again; `last`: it cannot. Staff emails skip the check of the address: Postmark refuses them itself, and our records of an address must
 * not lock anyone out.
 */
export async function handOver(scope: Sender & Pick<Scope, 'db'>, letter: Mail, { last } = { last: false }): Promise<string | null> {
  const suppression = await suppressionOf(scope.db, letter.to)
  if (suppression) return suppressionReasons[suppression]
  try {
    return (await deliver(scope, letter)) ? null : 'Postmark rejected it'
  } catch (error) {
    if (!last) throw error
    return 'Postmark did not answer'
  }
}
