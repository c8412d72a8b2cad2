/** Gmail's responses, limited to the fields used here. Other fields are dropped. */
import { z } from 'zod'
import { isPseudo } from '../folders.ts'
import type { FolderRole, MailFolder, MailMessage, MailThread, MessageHead } from '../mailbox.ts'
import { filesOf, type Part, wordsOf } from './parts.ts'
import { decodedWords, peopleIn, unescaped } from '../mime.ts'
import { peopleOnce } from '../people.ts'

const id = z.string().min(1)
const header = z.object({ name: z.string(), value: z.string().default('') })

const part: z.ZodType<Part> = z.lazy(() =>
  z.object({
    partId: z.string().default(''),
    mimeType: z
      .string()
      .default('')
      .transform((type) => type.toLowerCase()),
    filename: z.string().default(''),
    headers: z.array(header).default([]),
    body: z.object({ attachmentId: z.string().optional(), size: z.number().default(0), data: z.string().optional() }).default({ size: 0 }),
    parts: z.array(part).default([]),
  }),
)

export const message = z.object({
  id,
  threadId: id,
  labelIds: z.array(z.string()).default([]),
  snippet: z.string().default(''),
  /** Milliseconds since 1970. */
  internalDate: z.coerce.number().default(0),
  payload: part,
})
export type GmailMessage = z.output<typeof message>

export const thread = z.object({ id, messages: z.array(message).min(1) })

export const reference = z.object({ id })
export const threads = z.object({ threads: z.array(reference).default([]), nextPageToken: z.string().optional() })
export const messages = z.object({ messages: z.array(reference).default([]) })
export const labels = z.object({ labels: z.array(z.object({ id, name: z.string(), type: z.string().default('user') })).default([]) })
export const label = z.object({ messagesTotal: z.number().default(0), messagesUnread: z.number().default(0) })
export const attachment = z.object({ data: z.string() })
export const sent = z.object({ id, threadId: id })
export const profile = z.object({ emailAddress: z.string().min(1) })
export const senders = z.object({
  sendAs: z
    .array(
      z.object({
        sendAsEmail: z.string(),
        displayName: z.string().default(''),
        replyToAddress: z.string().default(''),
        isDefault: z.boolean().default(false),
        isPrimary: z.boolean().default(false),
      }),
    )
    .default([]),
})

const roles: Record<string, FolderRole> = {
  INBOX: 'inbox',
  STARRED: 'starred',
  SENT: 'sent',
  DRAFT: 'drafts',
  SPAM: 'spam',
  TRASH: 'trash',
}

/** The labels that are shown as folders. */
export const shownLabels = (all: z.output<typeof labels>['labels']) => all.filter(({ id, type }) => type === 'user' || roles[id])

export const folderOf = (
  { id, name }: { id: string; name: string },
  { messagesTotal, messagesUnread }: z.output<typeof label>,
): MailFolder => ({ id, name, role: roles[id] ?? null, total: messagesTotal, unread: messagesUnread })

export const headerOf = ({ headers }: Pick<Part, 'headers'>, name: string): string =>
  headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''

/** The headers needed for lists. */
export const listedHeaders = ['From', 'To', 'Cc', 'Subject', 'Date']

export const isDraft = ({ labelIds }: Pick<GmailMessage, 'labelIds'>): boolean => labelIds.includes('DRAFT')

export function headOf({ id, threadId, labelIds, snippet, internalDate, payload }: GmailMessage): MessageHead {
  return {
    id,
    threadId,
    from: peopleIn(headerOf(payload, 'from'))[0] ?? null,
    subject: decodedWords(headerOf(payload, 'subject')),
    snippet: unescaped(snippet),
    date: new Date(internalDate),
    isUnread: labelIds.includes('UNREAD'),
  }
}

/** @param given includes the content of its text parts. */
export function messageOf(given: GmailMessage): MailMessage {
  const { payload, labelIds } = given
  const people = (name: string) => peopleIn(headerOf(payload, name))
  const { text, html } = wordsOf(payload)
  return {
    ...headOf(given),
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    replyTo: people('reply-to'),
    text: text ?? (html === null ? '' : null),
    html,
    isSent: labelIds.includes('SENT'),
    attachments: filesOf(payload),
  }
}

/** @param messages with headers at least. */
export function threadOf({ id, messages }: z.output<typeof thread>): MailThread {
  const kept = messages.filter((one) => !isDraft(one))
  const shown = (kept.length > 0 ? kept : messages).toSorted((a, b) => a.internalDate - b.internalDate)
  const [first, last] = [shown[0]!, shown.at(-1)!]
  const people = shown.flatMap(({ payload }) => ['from', 'to', 'cc'].flatMap((name) => peopleIn(headerOf(payload, name))))
  return {
    id,
    subject: decodedWords(headerOf(first.payload, 'subject')),
    snippet: unescaped(last.snippet),
    people: peopleOnce(people),
    date: new Date(last.internalDate),
    messageCount: kept.length,
    isUnread: messages.some(({ labelIds }) => labelIds.includes('UNREAD')),
    hasAttachments: messages.some(({ payload }) => hasFiles(payload.mimeType)),
    folders: [...new Set(messages.flatMap(({ labelIds }) => labelIds))].filter((one) => !isPseudo(one)),
  }
}

/** Lists contain only the outermost type. A mixed email has files besides its text, and any other non-text type is a file. */
const hasFiles = (mimeType: string): boolean => mimeType === 'multipart/mixed' || !/^(text|multipart)\/|^$/.test(mimeType)
