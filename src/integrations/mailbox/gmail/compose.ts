/** An email in Gmail's format: RFC 822 text. */
import MailComposer from 'nodemailer/lib/mail-composer'
import type { GmailMessage } from './shapes.ts'
import { headerOf } from './shapes.ts'
import type { OutgoingMail, Person } from '../mailbox.ts'

/** The sender's name, as set up at Gmail. Without it Gmail writes the bare address. */
export type Sender = Person & { replyTo: string }

const listed = (people: readonly Person[]) => people.map(({ name, email }) => ({ name, address: email }))

/** @param answered the headers of the message being answered. */
export async function composed(mail: OutgoingMail, sender: Sender | null, answered: GmailMessage | null): Promise<Buffer<ArrayBuffer>> {
  const messageId = answered ? headerOf(answered.payload, 'message-id') : ''
  const references = answered ? headerOf(answered.payload, 'references') : ''
  const { to, cc, bcc, subject, text, html, attachments } = mail
  const node = new MailComposer({
    ...(sender && { from: listed([sender]) }),
    ...(sender?.replyTo && { replyTo: sender.replyTo }),
    to: listed(to),
    cc: listed(cc),
    bcc: listed(bcc),
    subject,
    text,
    html,
    ...(messageId && { inReplyTo: messageId, references: `${references} ${messageId}`.trim() }),
    attachments: attachments.map(({ name, mimeType, bytes }) => ({
      filename: name,
      contentType: mimeType,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      // Whatever its name: an email forwarded as a file stays a file.
      contentDisposition: 'attachment' as const,
      contentTransferEncoding: 'base64' as const,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  // Gmail reads the Bcc recipients here, and removes them from the sent email.
  node.keepBcc = true
  return Buffer.from(await node.build())
}

/** Bytes: a larger email must go to Gmail's upload URL. */
export const maxInline = 3 * 1024 * 1024

/** An email and its metadata in one body. */
export function upload(about: object, raw: Uint8Array): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const boundary = `part-${crypto.randomUUID()}`
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(about)}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head), raw, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { type: `multipart/related; boundary=${boundary}`, bytes }
}
