import { createPostmark } from '../../integrations/postmark/client.ts'
import type { Scope } from '../../server/scope.ts'
import type { Mail } from './rules.ts'

type Sender = Pick<Scope, 'env' | 'log'>

/** Hands one mail to Postmark. False: refused, which will not change; it is logged. Throws on any other failure, to be tried again. */
export async function handOver({ env, log }: Sender, letter: Mail): Promise<boolean> {
  if (!env.POSTMARK_TOKEN) throw new Error('POSTMARK_TOKEN is not set')
  const postmark = createPostmark({ token: env.POSTMARK_TOKEN, ...(env.POSTMARK_URL ? { baseUrl: env.POSTMARK_URL } : {}) })
  const result = await postmark.send({
    from: env.MAIL_FROM,
    to: letter.to,
    subject: letter.subject,
    textBody: letter.text,
    htmlBody: letter.html,
    messageStream: 'outbound',
    ...(letter.attachments?.length ? { attachments: letter.attachments } : {}),
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
