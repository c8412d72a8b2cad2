/** The mailboxes of a simulated provider: one per address, generated on first use. */
import { z } from 'zod'
import { generateMailbox, Mailbox, type Message } from './mailbox.ts'

export type MailboxesOptions = {
  /** The default mailbox's address. */
  email?: string | undefined
  /** The number of messages in a new mailbox; defaults to 5,000. */
  messages?: number | undefined
  seed?: number | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** An incoming message. Without `email` it goes to the default mailbox. */
export const incomingRequest = z.strictObject({
  email: z.string().optional(),
  from: z.strictObject({ name: z.string().default(''), email: z.string() }),
  subject: z.string(),
  text: z.string().optional(),
  html: z.string().optional(),
  /** The thread that it replies to. */
  threadId: z.string().optional(),
})

export type Incoming = z.input<typeof incomingRequest>

export class Mailboxes {
  readonly #options: MailboxesOptions
  readonly #byEmail = new Map<string, Mailbox>()
  readonly #now: () => number
  readonly #startedAt: number
  readonly email: string

  constructor(options: MailboxesOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#startedAt = this.#now()
    this.email = options.email ?? 'reception@refyneclinic.example'
  }

  of(email: string): Mailbox {
    const key = email.toLowerCase()
    const known = this.#byEmail.get(key)
    if (known) return known
    const { messages, seed } = this.#options
    const owner = { name: nameOf(email), email: key }
    const mailbox = new Mailbox(key, generateMailbox({ owner, count: messages, seed, until: this.#startedAt }))
    this.#byEmail.set(key, mailbox)
    return mailbox
  }

  receive(mail: Incoming): { mailbox: Mailbox; message: Message } {
    const { email = this.email, from, subject, text, html, threadId } = incomingRequest.parse(mail)
    const mailbox = this.of(email)
    const repliedTo = mailbox.thread(threadId ?? '').at(-1)
    const message = mailbox.add({
      date: this.#now(),
      from,
      to: [{ name: nameOf(mailbox.email), email: mailbox.email }],
      cc: [],
      bcc: [],
      replyTo: [],
      subject,
      text: text ?? (html === undefined ? '' : undefined),
      html,
      attachments: [],
      labels: new Set(['INBOX', 'UNREAD']),
      inReplyTo: repliedTo?.messageId,
      references: repliedTo ? [...repliedTo.references, repliedTo.messageId] : [],
      ...(repliedTo && { threadId: repliedTo.threadId }),
    })
    return { mailbox, message }
  }
}

/** The name for an address: 'Front Desk' for front.desk@clinic.example. */
export function nameOf(email: string): string {
  return (email.split('@')[0] ?? '')
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
