/** What Nylas answers, as the package hands it on, as far as it is used here. Each object has far more; what is not listed is dropped. */
import { z } from 'zod'
import { isPseudo } from '../folders.ts'
import type { FolderRole, MailMessage, MailThread, MessageHead, Person } from '../mailbox.ts'
import { peopleOnce } from '../people.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0)
/** Seconds since 1970. */
const seconds = z.number().nullish()
const id = z.string().min(1)
const listOf = <Shape extends z.ZodType>(shape: Shape) =>
  z
    .array(shape)
    .nullish()
    .transform((list) => list ?? [])

const people = listOf(z.object({ name: text, email: text })).transform((list) => list.filter(({ email }) => email !== ''))

export const folder = z.object({
  id,
  name: text,
  attributes: listOf(z.string()),
  totalCount: count,
  unreadCount: count,
  /** Of Google's labels alone. */
  systemFolder: z.boolean().nullish(),
})

export const thread = z.object({
  id,
  subject: text,
  snippet: text,
  participants: people,
  messageIds: listOf(z.string()),
  folders: listOf(z.string()),
  unread: flag,
  hasAttachments: flag,
  latestMessageReceivedDate: seconds,
  latestMessageSentDate: seconds,
  latestDraftOrMessage: z.object({ date: seconds }).nullish(),
})

const attachment = z.object({ id, filename: text, contentType: text, size: count, contentId: text })

export const head = z.object({ id, threadId: text, from: people, subject: text, snippet: text, date: seconds, unread: flag })

export const message = head.extend({
  object: text,
  to: people,
  cc: people,
  bcc: people,
  replyTo: people,
  body: text,
  folders: listOf(z.string()),
  attachments: listOf(attachment),
})

/** As little of a message as moving it takes, and what is known after. */
export const placed = z.object({ id, object: text, from: people, folders: listOf(z.string()) })
export const moved = z.object({ id })

export const page = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: z.array(shape), nextCursor: z.string().nullish() })
export const one = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: shape })
export const sent = one(z.object({ id, threadId: text }))
export const grant = one(z.object({ email: text }))

/** One for each address that was asked for; an address whose calendar cannot be read has an error instead. Times in seconds since 1970. */
export const freeBusy = z.object({
  data: z.array(
    z.union([
      z.object({ object: z.literal('error'), error: text }),
      z.object({ timeSlots: listOf(z.object({ startTime: z.number(), endTime: z.number(), status: text })) }),
    ]),
  ),
})

const roles: Record<string, FolderRole> = {
  '\\inbox': 'inbox',
  '\\flagged': 'starred',
  '\\sent': 'sent',
  '\\drafts': 'drafts',
  '\\archive': 'archive',
  '\\junk': 'spam',
  '\\trash': 'trash',
}

export const roleOf = (attributes: readonly string[]): FolderRole | null =>
  attributes.map((one) => roles[one.toLowerCase()]).find((role) => role !== undefined) ?? null

const dateOf = (value: number | null | undefined): Date => new Date((value ?? 0) * 1_000)

export function threadOf(given: z.output<typeof thread>): MailThread {
  const { latestMessageReceivedDate, latestMessageSentDate, latestDraftOrMessage } = given
  const newest = Math.max(latestMessageReceivedDate ?? 0, latestMessageSentDate ?? 0)
  return {
    id: given.id,
    subject: given.subject,
    snippet: given.snippet,
    people: peopleOnce(given.participants),
    date: dateOf(newest || latestDraftOrMessage?.date),
    messageCount: given.messageIds.length,
    isUnread: given.unread,
    hasAttachments: given.hasAttachments,
    folders: given.folders.filter((one) => !isPseudo(one)),
  }
}

export function headOf({ id, threadId, from, subject, snippet, date, unread }: z.output<typeof head>): MessageHead {
  return { id, threadId, from: from[0] ?? null, subject, snippet, date: dateOf(date), isUnread: unread }
}

export function messageOf(
  given: z.output<typeof message>,
  isOwn: (message: { from: Person[]; folders: string[] }) => boolean,
): MailMessage {
  const { to, cc, bcc, replyTo, body, attachments } = given
  return {
    ...headOf(given),
    to,
    cc,
    bcc,
    replyTo,
    // Nylas has one body: what came as plain text is made HTML there.
    text: null,
    html: body,
    isSent: isOwn(given),
    attachments: attachments.map(({ id, filename, contentType, size, contentId }) => ({
      id,
      name: filename,
      mimeType: contentType || 'application/octet-stream',
      size,
      contentId: contentId.replace(/^<|>$/g, '') || null,
    })),
  }
}
