import { createPostmark } from '../../integrations/postmark/client.ts'
import { defineJob } from '../../server/jobs.ts'
import { mail } from './rules.ts'

/** Sends one mail through Postmark. A refusal that will not change is logged and given up; anything else is tried again. */
export const sendMail = defineJob({
  name: 'mail.send',
  payload: mail,
  async run({ env, log }, letter, attempt) {
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
    log.warn({ kind: result.kind, last: attempt.last }, 'Postmark did not take a mail')
    if (result.retryable) throw new Error(`mail ${result.kind}`)
  },
})
