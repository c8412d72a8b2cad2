import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { idempotencyKeyShape, optionalPersonName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { conversationStatuses, directions, messageStatuses } from './rules.ts'

/** Spec 8, word for word, and what it leaves open. */
export const inboxMessages = {
  unread: 'Failed to fetch unread messages',
  count: 'Failed to get unread count',
  markOne: 'Failed to mark message as read',
  markContact: 'Failed to mark contact messages as read',
  markAll: 'Failed to mark all messages as read',
  ofContact: 'Failed to fetch unread messages for contact',
  send: 'Failed to send email',
  words: 'Write a message',
  subject: 'Subject is required',
} as const

const party = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

const attachment = z.object({
  id: z.uuid(),
  name: z.string(),
  mimeType: z.string(),
  size: z.number().int(),
  contentId: z.string().nullable(),
  documentId: z.uuid().nullable(),
  /** The mail shows it among its words. */
  isShown: z.boolean(),
  /** Why it was not kept. */
  refusal: z.string().nullable(),
})

const message = z.object({
  id: z.uuid(),
  direction: z.enum(directions),
  fromEmail: z.string(),
  fromName: z.string().nullable(),
  toEmail: z.string(),
  subject: z.string(),
  body: z.string(),
  /** Harmless already: without scripts, forms and pictures from elsewhere. */
  htmlBody: z.string().nullable(),
  remoteImages: z.number().int(),
  /** A machine has written it, an out-of-office notice say. */
  isAutomatic: z.boolean(),
  /** It comes from an address that the patient's record does not have. */
  isFromElsewhere: z.boolean(),
  status: z.enum(messageStatuses),
  problem: z.string().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  readAt: z.date().nullable(),
  readBy: z.uuid().nullable(),
  attachments: z.array(attachment),
})

const note = z.object({ id: z.uuid(), text: z.string(), createdBy: z.uuid(), createdAt: z.date() })

const conversation = z.object({
  id: z.uuid(),
  /** The patient; null: no one knows yet who writes. */
  contact: party.nullable(),
  subject: z.string(),
  status: z.enum(conversationStatuses),
  address: z.string(),
  name: z.string().nullable(),
  assignedTo: z.uuid().nullable(),
  lastMessageAt: z.date(),
})

/** What the list of conversations can be narrowed to. */
export const conversationFilters = z.strictObject({
  show: z.enum(['active', 'unread', 'mine', 'unassigned', 'unknown', 'archived', 'all']).default('active'),
  contactId: z.uuid().optional(),
  search: requiredText(100, 'Type a name, an address or a word').optional(),
})

const conversationRow = conversation.extend({
  /** The beginning of the last message. */
  snippet: z.string(),
  lastDirection: z.enum(directions),
  unreadCount: z.number().int(),
  hasAttachments: z.boolean(),
})

/** The pages of the messages within a conversation. */
const messagePages = cursorPages(instantPlace, { limit: 30, max: 100 })

const conversationDetails = conversation.extend({
  /** A page of them, the newest of all first; within the page the oldest is first. */
  messages: z.array(message),
  nextCursor: messagePages.output(message).shape.nextCursor,
  notes: z.array(note),
  /** Why no mail goes to this address any more. */
  suppressed: z.enum(['bounce', 'complaint']).nullable(),
})

/** Spec 3: per patient, or per address of someone unknown. */
const unreadSummary = z.object({
  contact_id: z.uuid().nullable(),
  contact_name: z.string(),
  contact_email: z.string().nullable(),
  latest_message: z.object({ id: z.uuid(), subject: z.string(), body: z.string(), created_at: z.date(), conversation_id: z.uuid() }),
  unread_count: z.number().int(),
})

const pages = cursorPages(instantPlace, { limit: 50, max: 200 })
const unreadPages = cursorPages(instantPlace, { limit: 200, max: 200 })
const one = z.strictObject({ id: z.uuid() })
const ofContact = z.strictObject({ contactId: z.uuid() })
const noConversation = { NOT_FOUND: { status: 404, message: 'This conversation does not exist' } } as const
const noMessage = { NOT_FOUND: { status: 404, message: 'This message does not exist' } } as const
const fields = z.object({ fields: z.record(z.string(), z.string()) })

const mail = z.strictObject({
  text: requiredText(50_000, inboxMessages.words),
  /** Of a template; without one the words alone are sent. */
  templateId: z.uuid().nullable().default(null),
  documentIds: z.array(z.uuid()).max(20, 'At most 20 documents').default([]),
  /** It advertises: it needs a live consent and carries an unsubscribe link. A template of the category 'marketing' does by itself. */
  isCommercial: z.boolean('Say yes or no').default(false),
  idempotencyKey: idempotencyKeyShape,
})

const sending = {
  KEY_REUSED: { status: 409, message: 'This key belongs to another message' },
  SUPPRESSED: { status: 409, message: 'No email goes to this address any more: it bounced, or its owner has complained.' },
  NO_POSTAL_ADDRESS: {
    status: 409,
    message: 'Email that advertises has to name the practice’s postal address. An administrator sets it under Settings, Practice.',
  },
  NO_CONSENT: {
    status: 409,
    message: 'This patient has no live consent to commercial email, or has unsubscribed this address. Record their consent first.',
  },
  INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
  TOO_LARGE: { status: 422, message: 'The attachments are too large: 7 MB together at most', data: fields },
} as const

const tags = ['Inbox']
const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

export const inboxContract = {
  unreadCount: get('/inbox/unread/count', 'How many messages no one has read').output(z.object({ count: z.number().int() })),
  unread: get('/inbox/unread', 'Unread messages by patient, the newest first, and of how many patients there are any')
    .input(z.strictObject(pages.input))
    .output(pages.output(unreadSummary).extend({ total: z.number().int() })),
  unreadOfContact: get('/inbox/contacts/{contactId}/unread', 'The unread messages of a patient, newest first')
    .input(ofContact.extend(unreadPages.input))
    .output(
      unreadPages.output(
        z.object({ id: z.uuid(), subject: z.string(), body: z.string(), created_at: z.date(), conversation_id: z.uuid() }),
      ),
    ),
  conversations: get('/inbox/conversations', 'Conversations, those with the newest message first')
    .input(conversationFilters.extend(pages.input))
    .output(pages.output(conversationRow)),
  conversation: get('/inbox/conversations/{id}', 'A conversation with its notes and a page of its messages, the newest first')
    .input(one.extend(messagePages.input))
    .errors(noConversation)
    .output(conversationDetails),
  start: post('/inbox/conversations', 'Write to a patient about something new')
    .input(
      mail.extend({
        contactId: z.uuid(),
        email: requiredText(320, 'Choose an address'),
        subject: requiredLine(300, inboxMessages.subject),
      }),
    )
    .errors({ ...sending, NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ id: z.uuid(), messageId: z.uuid() })),
  reply: post('/inbox/conversations/{id}/reply', 'Answer in a conversation')
    .input(mail.extend({ id: z.uuid() }))
    .errors({ ...noConversation, ...sending })
    .output(z.object({ messageId: z.uuid() })),
  resend: post('/inbox/messages/{id}/resend', 'Send a message again that was not taken')
    .input(one)
    .errors({
      ...noMessage,
      NOT_FAILED: { status: 409, message: 'This message was sent, or is on its way' },
      SUPPRESSED: sending.SUPPRESSED,
    })
    .output(z.object({ status: z.enum(messageStatuses) })),
  addNote: post('/inbox/conversations/{id}/notes', 'Note something that the other side never sees')
    .input(one.extend({ text: requiredText(5_000, 'Write a note') }))
    .errors(noConversation)
    .output(note),
  change: oc
    .route({ method: 'PATCH', path: '/inbox/conversations/{id}', tags, summary: 'Assign a conversation, archive it or bring it back' })
    .input(
      one
        .extend({ assignedTo: z.uuid().nullable().optional(), status: z.enum(conversationStatuses).optional() })
        .refine(({ assignedTo, status }) => assignedTo !== undefined || status !== undefined, 'Say what to change'),
    )
    .errors({ ...noConversation, INVALID_REFERENCE: sending.INVALID_REFERENCE })
    .output(conversation),
  link: post('/inbox/conversations/{id}/contact', 'Say whose conversation it is: a patient, or a new one made of the sender')
    .input(
      one
        .extend({
          contactId: z.uuid().optional(),
          firstName: optionalPersonName(100, 'First name').optional(),
          lastName: optionalPersonName(100, 'Last name').optional(),
        })
        .refine(({ contactId, lastName }) => contactId !== undefined || Boolean(lastName), {
          path: ['lastName'],
          message: 'Last name is required',
        }),
    )
    .errors({
      ...noConversation,
      INVALID_REFERENCE: sending.INVALID_REFERENCE,
      LINKED_ALREADY: { status: 409, message: 'Someone has linked this conversation in the meantime.' },
    })
    .output(conversation),
  markRead: post('/inbox/messages/{id}/read', 'Mark a message as read')
    .input(one)
    .errors(noMessage)
    .output(z.object({ readAt: z.date() })),
  markUnread: post('/inbox/messages/{id}/unread', 'Mark a message as unread again')
    .input(one)
    .errors(noMessage)
    .output(z.object({ readAt: z.null() })),
  markContactRead: post('/inbox/contacts/{contactId}/read', 'Mark all messages of a patient as read')
    .input(ofContact)
    .output(z.object({ count: z.number().int() })),
  markSenderRead: post('/inbox/senders/read', 'Mark all messages as read from an address whose patient no one knows')
    .input(z.strictObject({ address: requiredText(320, 'Say which address') }))
    .output(z.object({ count: z.number().int() })),
  markConversationRead: post('/inbox/conversations/{id}/read', 'Mark all messages of a conversation as read')
    .input(one)
    .output(z.object({ count: z.number().int() })),
  markAllRead: post('/inbox/read', 'Mark every message as read that arrived before a moment')
    .input(z.strictObject({ before: instant }))
    .output(z.object({ count: z.number().int() })),
}
