/** An inbound email in the format of Postmark's inbound hook (user guide, "Parse an email"; webhooks, "Inbound webhook"). */
import { z } from 'zod'

export const inboundRequest = z.strictObject({
  /** Comma-separated addresses, optionally with names. Defaults to the server's inbound address. */
  to: z.string().min(1).optional(),
  cc: z.string().optional(),
  from: z.string().min(1),
  fromName: z.string().optional(),
  replyTo: z.string().optional(),
  subject: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  attachments: z
    .array(z.strictObject({ name: z.string(), contentType: z.string(), contentBase64: z.string(), contentId: z.string().optional() }))
    .optional(),
  /** Defaults to the part after the recipient's plus sign. */
  mailboxHash: z.string().optional(),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  /** Postmark's message id; generated if omitted. */
  messageId: z.string().min(1).optional(),
})
export type InboundMail = z.input<typeof inboundRequest>

const inboundAddress = '451d9b70cf9364d23ff6f9d51d870251569e@inbound.postmarkapp.com'

type Person = { Email: string; Name: string; MailboxHash: string }

export function inboundPayload(mail: z.output<typeof inboundRequest>, now: Date): Record<string, unknown> {
  const to = mail.to ?? (mail.mailboxHash ? inboundAddress.replace('@', `+${mail.mailboxHash}@`) : inboundAddress)
  const toFull = peopleIn(to)
  const ccFull = peopleIn(mail.cc)
  const from = peopleIn(mail.from)[0] ?? person(mail.from, '')
  const name = mail.fromName ?? from.Name
  const messageId = mail.messageId ?? crypto.randomUUID()
  return {
    FromName: name,
    MessageStream: 'inbound',
    From: from.Email,
    FromFull: { ...from, Name: name },
    To: to,
    ToFull: toFull,
    Cc: mail.cc ?? '',
    CcFull: ccFull,
    Bcc: '',
    BccFull: [],
    OriginalRecipient: toFull[0]?.Email ?? to,
    Subject: mail.subject ?? '',
    MessageID: messageId,
    ReplyTo: mail.replyTo ?? '',
    MailboxHash: mail.mailboxHash ?? toFull.find(({ MailboxHash }) => MailboxHash)?.MailboxHash ?? '',
    Date: now.toUTCString().replace('GMT', '+0000'),
    TextBody: mail.text ?? '',
    HtmlBody: mail.html ?? '',
    StrippedTextReply: replyIn(mail.text ?? ''),
    Tag: '',
    Headers: headersOf(mail, from.Email, messageId),
    Attachments: (mail.attachments ?? []).map((file) => ({
      Name: file.name,
      Content: file.contentBase64,
      ContentType: file.contentType,
      ContentLength: Buffer.from(file.contentBase64, 'base64').length,
      ContentID: file.contentId ?? '',
    })),
  }
}

/** The headers of Postmark and its spam filter, followed by the email's own. */
function headersOf(mail: z.output<typeof inboundRequest>, from: string, messageId: string): { Name: string; Value: string }[] {
  const own = (mail.headers ?? []).map(({ name, value }) => ({ Name: name, Value: value }))
  const defaults = [
    ['X-Spam-Checker-Version', 'SpamAssassin 3.4.0 (2014-02-07) onp-pm-smtp-inbound01b-aws-useast2b'],
    ['X-Spam-Status', 'No'],
    ['X-Spam-Score', '-0.1'],
    ['X-Spam-Tests', 'DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU,SPF_PASS'],
    ['Received-SPF', `Pass (sender SPF authorized) identity=mailfrom; envelope-from=${from}`],
    ['MIME-Version', '1.0'],
    ['Message-ID', `<${messageId}@${from.split('@')[1] ?? 'mail.example'}>`],
  ].map(([Name, Value]) => ({ Name: Name!, Value: Value! }))
  const ownNames = new Set(own.map(({ Name }) => Name.toLowerCase()))
  return [...defaults.filter(({ Name }) => !ownNames.has(Name.toLowerCase())), ...own]
}

/** Parses '"Lee, Ann" <ann+7@clinic.test>, b@clinic.test' into addresses, names and the parts after the plus sign. */
function peopleIn(field: string | undefined): Person[] {
  const parts = (field ?? '').match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? []
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const bracketed = /^(.*)<([^<>]*)>$/s.exec(part)
      if (!bracketed) return person(part, '')
      const name = bracketed[1]!.trim().replace(/^"(.*)"$/s, '$1')
      return person(bracketed[2]!.trim(), name.replace(/\\(.)/g, '$1'))
    })
}

const person = (Email: string, Name: string): Person => ({ Email, Name, MailboxHash: /\+([^@]*)@[^@]*$/.exec(Email)?.[1] ?? '' })

/** The text above the quoted email; empty without a quote, as in Postmark. */
function replyIn(text: string): string {
  const lines = text.split(/\r?\n/)
  const quote = lines.findIndex((line, at) => /^On .+ wrote:$/.test(line.trim()) || (line.startsWith('>') && at > 0))
  return quote < 0 ? '' : lines.slice(0, quote).join('\n').trim()
}
