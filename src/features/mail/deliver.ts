import { createPostmark } from '../../integrations/postmark/client.ts'
import type { Scope } from '../../server/scope.ts'
import type { Mail } from './rules.ts'

/** Hands one mail to Postmark. A refusal that will not change is logged and given up; throws on any other, to be tried again. */
export async function deliver({ env, log }: Pick<Scope, 'env' | 'log'>, letter: Mail): Promise<void> {
  if (!env.POSTMARK_TOKEN) throw new Error('POSTMARK_TOKEN is not set')
  const postmark = createPostmark({ token: env.POSTMARK_TOKEN, ...(env.POSTMARK_URL ? { baseUrl: env.POSTMARK_URL } : {}) })
  const result = await postmark.send({
    from: env.MAIL_FROM,
    to: letter.to,
    subject: letter.subject,
    textBody: letter.text,
    htmlBody: letter.html,
    messageStream: 'outbound',
  })
  if (result.ok) return
  log.warn({ kind: result.kind, retried: result.retryable }, 'Postmark did not take a mail')
  if (result.retryable) throw new Error(`mail ${result.kind}`)
}
