import { createPostmark } from '../../integrations/postmark/client.ts'
import type { Scope } from '../../kernel/scope.ts'
import { withLetterhead } from './letterhead.ts'
import { type Mail, senderOf, suppressionWords } from './rules.ts'
import { suppressionOf } from './suppression.ts'

type Sender = Pick<Scope, 'env' | 'log' | 'practice'>

/** Hands one mail to Postmark. False: refused, which will not change; it is logged. Throws on any other failure, to be tried again. */
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
  log.warn({ kind: result.kind, retried: result.retryable }, 'Postmark did not take a mail')
  if (result.retryable) throw new Error(`mail ${result.kind}`)
  return false
}

/**
 * The same to a patient, to whose address mail may not go any more. Null: it was taken; otherwise why not, in words behind a colon. The staff's own
 * mails are not asked for that: Postmark refuses them itself, and no one is to be locked out by what we believe of an address.
 */
export async function handOver(scope: Sender & Pick<Scope, 'db'>, letter: Mail): Promise<string | null> {
  const suppression = await suppressionOf(scope.db, letter.to)
  if (suppression) return suppressionWords[suppression]
  return (await deliver(scope, letter)) ? null : 'Postmark did not take it'
}
