/** A mailbox with its threads, messages and drafts, as they are read. */
import { z } from 'zod'
import { draftKinds, draftStates, folderRoles, mailboxStates, mailProviders } from './rules.ts'

const person = z.object({ name: z.string(), email: z.string() })
export const party = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

export const connection = z.object({
  connected: z.boolean(),
  /** Spec 7: the mailbox; null when none is connected. */
  grantId: z.uuid().nullable(),
  state: z.enum(mailboxStates),
  email: z.string().nullable(),
  provider: z.enum(mailProviders).nullable(),
  /** The available sign-ins; none: this installation has no mailbox credentials. */
  offers: z.array(z.enum(mailProviders)),
})

export const folder = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(folderRoles).nullable(),
  total: z.number().int(),
  unread: z.number().int(),
})

export const thread = z.object({
  id: z.string(),
  subject: z.string(),
  snippet: z.string(),
  /** The participants, including oneself. */
  people: z.array(person),
  date: z.date(),
  messageCount: z.number().int(),
  isUnread: z.boolean(),
  hasAttachments: z.boolean(),
  /** Ids of the folders that its messages lie in. */
  folders: z.array(z.string()),
  /** The linked patient. */
  contact: party.nullable(),
})

const message = z.object({
  id: z.string(),
  from: person.nullable(),
  to: z.array(person),
  cc: z.array(person),
  bcc: z.array(person),
  replyTo: z.array(person),
  subject: z.string(),
  snippet: z.string(),
  /** The first 50,000 characters of its text. */
  text: z.string(),
  /** Sanitized: without scripts, forms and remote images. Null: plain text only. */
  htmlBody: z.string().nullable(),
  remoteImages: z.number().int(),
  date: z.date(),
  isUnread: z.boolean(),
  isSent: z.boolean(),
  attachments: z.array(
    /** `isShown`: the image appears inline. */
    z.object({ id: z.string(), name: z.string(), mimeType: z.string(), size: z.number().int(), isShown: z.boolean() }),
  ),
})

export const threadDetails = thread.extend({
  /** Oldest first. */
  messages: z.array(message),
  /** The patients who own its addresses. */
  known: z.array(z.object({ email: z.string(), contact: party })),
})

export const draft = z.object({
  id: z.uuid(),
  kind: z.enum(draftKinds),
  answers: z.object({ messageId: z.string(), threadId: z.string() }).nullable(),
  to: z.array(person),
  cc: z.array(person),
  bcc: z.array(person),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  withSignature: z.boolean(),
  files: z.array(z.object({ id: z.uuid(), name: z.string(), mimeType: z.string(), size: z.number().int() })),
  state: z.enum(draftStates),
  problem: z.string().nullable(),
  version: z.number().int(),
  updatedAt: z.date(),
})

/** Nylas' own shape (spec 7); times are in seconds since 1970. */
export const newMessage = z.object({
  id: z.string(),
  thread_id: z.string(),
  from: z.array(person),
  subject: z.string(),
  snippet: z.string(),
  date: z.number().int(),
  unread: z.boolean(),
})
