/** An answer to a mail of the outbox, as the mail program of whoever got it would write it. */
import type { InboundMail } from './inbound.ts'
import type { AcceptedMail } from './outbox.ts'

/** What a person typed under a mail, and what the hook made of it. */
export type PatientAnswer = { text: string; at: string; outcome: string }

/** To the mail's reply address, hash and all; else to its sender. The mail itself is quoted below the answer. */
export function answerTo(mail: AcceptedMail, text: string): InboundMail {
  const subject = mail.Subject ?? ''
  const quoted = (mail.TextBody ?? '').split(/\r?\n/).map((line) => `> ${line}`.trimEnd())
  const messageId = `<${mail.MessageID}@mtasv.net>`
  return {
    to: mail.ReplyTo || mail.From,
    from: mail.To ?? '',
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: [text, '', `On ${new Date(mail.SubmittedAt).toUTCString()}, ${mail.From} wrote:`, ...quoted].join('\n'),
    headers: [
      { name: 'In-Reply-To', value: messageId },
      { name: 'References', value: messageId },
    ],
  }
}
