/** A reply to an email of the outbox, as the recipient's email program would write it. */
import type { InboundMail } from './inbound.ts'
import type { AcceptedMail } from './outbox.ts'

/** A reply typed under an email, and the hook's response to it. */
export type PatientReply = { text: string; at: string; outcome: string }

/** Goes to the email's reply address including its hash, or else to its sender. The email is quoted below the reply. */
export function replyTo(mail: AcceptedMail, text: string): InboundMail {
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
