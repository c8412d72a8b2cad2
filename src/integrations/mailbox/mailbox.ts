/** A person's mailbox at their provider, whichever it is: through Nylas (nylas.ts) or at Gmail itself (gmail.ts). Ids are the provider's. */
export type Mailbox = {
  /** Those with a role first, in the order of `folderRoles`; the person's own after them, by name. */
  folders(): Promise<Result<MailFolder[]>>
  /** Threads with a message that fits, the newest first. A page may be shorter than asked for, even empty, although there are more. */
  threads(asked: ThreadsAsked): Promise<Result<ThreadPage>>
  /** A thread with its messages, oldest first; at most `maxMessages`, the newest of them. Drafts are left out. */
  thread(id: string): Promise<Result<{ thread: MailThread; messages: MailMessage[] }>>
  /** Messages of a folder, newest first, without their words. */
  messages(asked: { folder: string; unread?: boolean | undefined; limit: number }): Promise<Result<MessageHead[]>>
  message(id: string): Promise<Result<MailMessage>>
  /** The bytes of a file that came with a message. The caller has seen the message: `size` and type are said there. They break off when no more come. */
  attachment(messageId: string, id: string): Promise<Result<ReadableStream<Uint8Array>>>
  /** All messages of a thread. 'archive' takes it out of the inbox, 'inbox' puts it back there. */
  change(threadId: string, change: { unread?: boolean | undefined; place?: Place | undefined }): Promise<Result<null>>
  /**
   * Never tried twice by itself: a failure says whether the mail may have gone out (`isUncertain`). `threadId` is empty where the provider does not say
   * at once where a new mail stands.
   */
  send(mail: OutgoingMail): Promise<Result<{ messageId: string; threadId: string }>>
}

export const folderRoles = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const
export type FolderRole = (typeof folderRoles)[number]
export type Place = 'inbox' | 'archive' | 'trash'

export type Person = { name: string; email: string }
export type MailFolder = { id: string; name: string; role: FolderRole | null; total: number; unread: number }

/** `folder`: its id; without one, every folder but spam and trash. `search`: the provider's own language. `cursor`: where the last page ended. */
export type ThreadsAsked = {
  folder?: string | undefined
  search?: string | undefined
  unread?: boolean | undefined
  cursor?: string | undefined
  limit: number
}
export type ThreadPage = { threads: MailThread[]; nextCursor: string | null }

export type MailThread = {
  id: string
  subject: string
  snippet: string
  /** Anyone who wrote or was written to, without doubles. */
  people: Person[]
  /** Of the newest message. */
  date: Date
  /** Without drafts. */
  messageCount: number
  isUnread: boolean
  hasAttachments: boolean
  /** Ids of the folders that its messages lie in. */
  folders: string[]
}

export type MessageHead = {
  id: string
  threadId: string
  from: Person | null
  subject: string
  snippet: string
  date: Date
  isUnread: boolean
}

export type MailMessage = MessageHead & {
  to: Person[]
  cc: Person[]
  bcc: Person[]
  replyTo: Person[]
  /** As it was sent: nothing of it is harmless yet. At least one of the two, which may be empty; through Nylas it is always HTML. */
  text: string | null
  html: string | null
  /** Whether the mailbox's owner wrote it. */
  isSent: boolean
  attachments: MailAttachment[]
}

/** `id`: within its message. `contentId`: by which the mail's own HTML shows it, without angle brackets. */
export type MailAttachment = { id: string; name: string; mimeType: string; size: number; contentId: string | null }

export type OutgoingMail = {
  to: Person[]
  cc: Person[]
  bcc: Person[]
  subject: string
  text: string
  html: string
  /** The message that is answered: its thread goes on. */
  answers: { messageId: string; threadId: string } | null
  attachments: { name: string; mimeType: string; bytes: Uint8Array }[]
}

/** Of one thread, shown at once. */
export const maxMessages = 100

/**
 * - `reconnect`: the access is gone; only the person can connect again. - `busy`: too many calls; `retryAfter` in seconds where it is said.
 * - `away`: the provider, or who stands between, does not answer. - `missing`: there is no such thing. - `refused`: it was read, and the answer is no.
 * - `unreadable`: an answer that is not in the provider's own words.
 */
export type FailureKind = 'reconnect' | 'busy' | 'away' | 'missing' | 'refused' | 'unreadable'

export type Failure = {
  ok: false
  kind: FailureKind
  /** For the log and for the person who asked; it may name people, so the log has the kind alone. */
  message: string
  /** Of a mail that was sent: it may have gone out although no answer came. */
  isUncertain: boolean
  retryAfter?: number
}
export type Result<Value> = { ok: true; value: Value } | Failure
