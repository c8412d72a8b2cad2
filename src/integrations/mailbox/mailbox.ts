/** A person's mailbox, through Nylas (nylas/nylas.ts) or directly at Gmail (gmail/gmail.ts). Ids are the provider's. */
export type Mailbox = {
  /** Those with a role first, in the order of `folderRoles`; the person's own after them, by name. */
  folders(): Promise<Result<MailFolder[]>>
  /** Threads with a matching message, newest first. A page may be shorter than requested, even empty, although more follow. */
  threads(asked: ThreadsAsked): Promise<Result<ThreadPage>>
  /** A thread with its messages, oldest first; at most `maxMessages`, the newest of them. Drafts are left out. */
  thread(id: string): Promise<Result<{ thread: MailThread; messages: MailMessage[] }>>
  /** Messages of a folder, newest first, without their words. */
  messages(asked: { folder: string; unread?: boolean | undefined; limit: number }): Promise<Result<MessageHead[]>>
  message(id: string): Promise<Result<MailMessage>>
  /** The bytes of a file of a message. The caller has read the message, which has its `size` and type. The stream fails when it stalls. */
  attachment(messageId: string, id: string): Promise<Result<ReadableStream<Uint8Array>>>
  /** Moves all messages of a thread. 'archive' removes it from the inbox, 'inbox' puts it back. */
  change(threadId: string, change: { unread?: boolean | undefined; place?: Place | undefined }): Promise<Result<null>>
  /**
   * Never retried automatically: a failure says whether the email may have been sent (`isUncertain`). `threadId` is empty where the
   * provider does not return it at once.
   */
  send(mail: OutgoingMail): Promise<Result<{ messageId: string; threadId: string }>>
}

export const folderRoles = ['inbox', 'starred', 'sent', 'drafts', 'archive', 'spam', 'trash'] as const
export type FolderRole = (typeof folderRoles)[number]
export type Place = 'inbox' | 'archive' | 'trash'

export type Person = { name: string; email: string }
export type MailFolder = { id: string; name: string; role: FolderRole | null; total: number; unread: number }

/**
 * `folder`: its id; without one, every folder except spam and trash. `search`: the provider's own syntax. `cursor`: where the last page
 * ended.
 */
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
  /** All participants, without duplicates. */
  people: Person[]
  /** Of the newest message. */
  date: Date
  /** Without drafts. */
  messageCount: number
  isUnread: boolean
  hasAttachments: boolean
  /** Ids of its messages' folders. */
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
  /** As received, not sanitized. At least one of the two is present, and may be empty; through Nylas it is always HTML. */
  text: string | null
  html: string | null
  /** Whether the mailbox's owner wrote it. */
  isSent: boolean
  attachments: MailAttachment[]
}

/** `id`: within its message. `contentId`: the reference in the email's HTML, without angle brackets. */
export type MailAttachment = { id: string; name: string; mimeType: string; size: number; contentId: string | null }

export type OutgoingMail = {
  to: Person[]
  cc: Person[]
  bcc: Person[]
  subject: string
  text: string
  html: string
  /** The message being answered: the reply joins its thread. */
  answers: { messageId: string; threadId: string } | null
  attachments: { name: string; mimeType: string; bytes: Uint8Array }[]
}

/** The maximum per thread. */
export const maxMessages = 100

/**
 * - `reconnect`: access was lost; only the person can reconnect. - `busy`: too many calls; `retryAfter` in seconds if known. - `away`: the
 * provider, or an intermediary, is not responding. - `missing`: not found. - `refused`: understood and refused. - `unreadable`: a response
 * that is not in the provider's format.
 */
export type FailureKind = 'reconnect' | 'busy' | 'away' | 'missing' | 'refused' | 'unreadable'

export type Failure = {
  ok: false
  kind: FailureKind
  /** For the log and the user; it may contain names, so the log records only the kind. */
  message: string
  /** When sending: the email may have been sent although no response came. */
  isUncertain: boolean
  retryAfter?: number
}
export type Result<Value> = { ok: true; value: Value } | Failure
