/** The mailboxes of a simulated provider: each address has its own, made when it is first asked for. */
import { z } from 'zod'
import { generateMailbox, Mailbox, type Message } from './mailbox.ts'

export type MailboxesOptions = {
  /** Whose mailbox it is when nobody says another address. */
  email?: string | undefined
  /** How many messages a mailbox begins with: 5,000 by default. */
  messages?: number | undefined
  seed?: number | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** A message that comes in from outside. Without `email` it is for the mailbox that nobody has to name. */
export const incomingRequest = z.strictObject({
  email: z.string().optional(),
  from: z.strictObject({ name: z.string().default(''), email: z.string() }),
  subject: z.string(),
  text: z.string().optional(),
  html: z.string().optional(),
  /** The thread that it answers in. */
  threadId: z.string().optional(),
})

export type Incoming = z.input<typeof incomingRequest>

export class Mailboxes {
  readonly #options: MailboxesOptions
  readonly #made = new Map<string, Mailbox>()
  readonly #now: () => number
  readonly #begin: number
  readonly email: string

  constructor(options: MailboxesOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#begin = this.#now()
    this.email = options.email ?? 'reception@refyneclinic.example'
  }

  of(email: string): Mailbox {
    const key = email.toLowerCase()
    const known = this.#made.get(key)
    if (known) return known
    const { messages, seed } = this.#options
    const owner = { name: nameOf(email), email: key }
    const mailbox = new Mailbox(key, generateMailbox({ owner, count: messages, seed, until: this.#begin }))
    this.#made.set(key, mailbox)
    return mailbox
  }

  receive(mail: Incoming): { mailbox: Mailbox; message: Message } {
    const { email = this.email, from, subject, text, html, threadId } = incomingRequest.parse(mail)
    const mailbox = this.of(email)
    const answered = mailbox.thread(threadId ?? '').at(-1)
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
      inReplyTo: answered?.messageId,
      references: answered ? [...answered.references, answered.messageId] : [],
      ...(answered && { threadId: answered.threadId }),
    })
    return { mailbox, message }
  }
}

/** front.desk@clinic.example is Front Desk. */
export function nameOf(email: string): string {
  return (email.split('@')[0] ?? '')
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
