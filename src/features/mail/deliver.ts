import { createPostmark } from '../../integrations/postmark/client.ts'
import type { Scope } from '../../server/scope.ts'
import { withLogo } from './letterhead.ts'
import { type Mail, senderOf } from './rules.ts'

type Sender = Pick<Scope, 'env' | 'log' | 'practice'>

/** Hands one mail to Postmark. False: refused, which will not change; it is logged. Throws on any other failure, to be tried again. */
export async function handOver(sender: Sender, letter: Mail): Promise<boolean> {
  const { env, log } = sender
  if (!env.POSTMARK_TOKEN) throw new Error('POSTMARK_TOKEN is not set')
  const postmark = createPostmark({ token: env.POSTMARK_TOKEN, ...(env.POSTMARK_URL ? { baseUrl: env.POSTMARK_URL } : {}) })
  const { html, picture } = await withLogo(sender, letter.html)
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

/** The same where nobody waits to hear of it. */
export async function deliver(sender: Sender, letter: Mail): Promise<void> {
  await handOver(sender, letter)
}
