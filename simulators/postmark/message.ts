/** Validation of Postmark's POST /email, with formats, messages and codes from its API reference ("Sending", "Error codes"). */
import { z } from 'zod'

const attachment = z.object({
  Name: z.string().min(1),
  Content: z.base64(),
  ContentType: z.string().min(1),
  ContentID: z.string().nullish(),
})

/** An email in Postmark's format. Unknown keys, such as Tag or Metadata, are kept unchanged. */
const mail = z.looseObject({
  From: z.string(),
  To: z.string().optional(),
  Cc: z.string().optional(),
  Bcc: z.string().optional(),
  ReplyTo: z.string().optional(),
  Subject: z.string().optional(),
  TextBody: z.string().optional(),
  HtmlBody: z.string().optional(),
  MessageStream: z.string().default('outbound'),
  Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).optional(),
  Attachments: z.array(attachment).optional(),
})
export type Mail = z.infer<typeof mail>

/** The refusal of one email: a 422 for POST /email, an element of the response for POST /email/batch. */
export type Refusal = { ErrorCode: number; Message: string }

const codes = { invalidRequest: 300, inactiveRecipient: 406, noSuchStream: 1235 }
const streams = ['outbound', 'broadcast']
const maxRecipients = 50

/** @param inactive lower-case addresses that bounced or complained. */
export function readMail(body: unknown, inactive: ReadonlySet<string>): { mail: Mail; note?: string } | { refusal: Refusal } {
  const parsed = mail.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(codes.invalidRequest, `Invalid '${issue?.path.join('.') ?? 'message'}' value.`)
  }
  const message = parsed.data

  const [from, ...others] = addressesIn(message.From)
  if (!from || others.length > 0 || !isAddress(from)) return refuse(codes.invalidRequest, `Invalid 'From' address: '${message.From}'.`)
  for (const field of ['To', 'Cc', 'Bcc', 'ReplyTo'] as const) {
    const invalid = addressesIn(message[field]).find((address) => !isAddress(address))
    if (invalid !== undefined) return refuse(codes.invalidRequest, `Error parsing '${field}': Illegal email address '${invalid}'.`)
  }
  const recipients = recipientsOf(message)
  if (recipients.length === 0) return refuse(codes.invalidRequest, 'Zero recipients specified')
  if (recipients.length > maxRecipients) return refuse(codes.invalidRequest, `Too many recipients. Maximum is ${maxRecipients}.`)
  if (!message.TextBody && !message.HtmlBody) return refuse(codes.invalidRequest, 'Provide either email TextBody or HtmlBody or both.')
  if (!streams.includes(message.MessageStream)) {
    return refuse(codes.noSuchStream, `The 'MessageStream' provided does not exist on this server: '${message.MessageStream}'.`)
  }

  const inactiveRecipients = recipients.filter((address) => inactive.has(address))
  if (inactiveRecipients.length === recipients.length) {
    return refuse(
      codes.inactiveRecipient,
      `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${inactiveRecipients.join(', ')}. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.`,
    )
  }
  return inactiveRecipients.length > 0
    ? { mail: message, note: `Message OK, but will not deliver to these inactive addresses: ${inactiveRecipients.join(', ')}.` }
    : { mail: message }
}

/** The lower-case addresses of all recipients. */
export function recipientsOf(message: Pick<Mail, 'To' | 'Cc' | 'Bcc'>): string[] {
  return [message.To, message.Cc, message.Bcc].flatMap(addressesIn)
}

function refuse(ErrorCode: number, Message: string): { refusal: Refusal } {
  return { refusal: { ErrorCode, Message } }
}

/** '"Lee, Ann" <Ann@clinic.test>, b@clinic.test' contains ann@clinic.test and b@clinic.test. An invalid part is returned unchanged. */
function addressesIn(field: string | undefined): string[] {
  const withoutQuotedNames = (field ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '')
  return withoutQuotedNames
    .split(',')
    .map((part) => (/<([^>]*)>\s*$/.exec(part)?.[1] ?? part).trim().toLowerCase())
    .filter((part) => part !== '')
}

function isAddress(text: string): boolean {
  return /^[^\s@<>"(),:;]+@[^\s@<>"(),:;.]+(\.[^\s@<>"(),:;.]+)+$/.test(text)
}
