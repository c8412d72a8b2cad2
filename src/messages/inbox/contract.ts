import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { languages } from '../../shared/translations.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { anyText, idempotencyKeyShape, optionalPersonName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { maxWrittenHtml } from '../../platform/mail/written-rules.ts'
import { maxTextLength } from './text-rules.ts'
import { channels, conversationStatuses, directions, messageStatuses, originKinds, wayProblems } from './rules.ts'

/** Spec 8's messages, word for word, and additional ones. */
export const inboxMessages = {
  unread: 'Failed to fetch unread messages',
  count: 'Failed to get unread count',
  markOne: 'Failed to mark message as read',
  markContact: 'Failed to mark contact messages as read',
  markAll: 'Failed to mark all messages as read',
  ofContact: 'Failed to fetch unread messages for contact',
  send: 'Failed to send email',
  sendText: 'Failed to send the text message',
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
  /** Its thread: with this id, a reply goes to the same address and continues the same subject. */
  conversationId: z.uuid(),
  channel: z.enum(channels),
  direction: z.enum(directions),
  fromEmail: z.string(),
  fromName: z.string().nullable(),
  toEmail: z.string(),
  subject: z.string(),
  body: z.string(),
  /** Sanitized: without scripts, forms and remote images. */
  htmlBody: z.string().nullable(),
  remoteImages: z.number().int(),
  /** Sent automatically, such as an out-of-office notice. */
  isAutomatic: z.boolean(),
  /** The sender's address is not in the patient's record. */
  isFromElsewhere: z.boolean(),
  status: z.enum(messageStatuses),
  /** A failed message that never left. */
  canResend: z.boolean(),
  /** Of a text message of ours: how many segments it is charged as. */
  segments: z.number().int().nullable(),
  /** The sequence or campaign that sent it, by its name then. */
  origin: z.object({ kind: z.enum(originKinds), name: z.string() }).nullable(),
  /** When the patient first opened a short link in it. */
  linkOpenedAt: z.date().nullable(),
  problem: z.string().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
  /** By staff; for the clinic's own in the portal, by the patient. */
  readAt: z.date().nullable(),
  readBy: z.uuid().nullable(),
  attachments: z.array(attachment),
})

const scheduledMessage = z.object({
  id: z.uuid(),
  channel: z.enum(['sms', 'email']),
  address: z.string(),
  /** Of an email about something else. */
  subject: z.string().nullable(),
  text: z.string(),
  /** Of an email with formatting. */
  html: z.string().nullable(),
  withSignature: z.boolean(),
  sendAt: z.date(),
  /** Why it could not be sent at its time. */
  problem: z.string().nullable(),
  createdBy: z.uuid(),
})

const quickReply = z.object({ id: z.uuid(), name: z.string(), language: z.enum(languages), text: z.string() })

const note = z.object({ id: z.uuid(), text: z.string(), createdBy: z.uuid(), createdAt: z.date() })

const conversation = z.object({
  /** The thread with the newest message. Each thread's id names the whole conversation, where a call takes one. */
  id: z.uuid(),
  /** The patient; null: not linked yet. */
  contact: party.nullable(),
  /** Of the newest message, as are channel and address. */
  subject: z.string(),
  channel: z.enum(channels),
  status: z.enum(conversationStatuses),
  address: z.string(),
  name: z.string().nullable(),
  assignedTo: z.uuid().nullable(),
  /** Not in the list of open ones until then. Null: not snoozed, or the other side has written since. */
  snoozedUntil: z.date().nullable(),
  lastMessageAt: z.date(),
})

/** Filters of the conversation list. */
export const conversationFilters = z.strictObject({
  show: z.enum(['active', 'unread', 'mine', 'unassigned', 'unknown', 'snoozed', 'archived', 'all']).default('active'),
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
  /** A page of messages, newest page first; within a page, oldest first. */
  messages: z.array(message),
  nextCursor: messagePages.output(message).shape.nextCursor,
  /** Messages that wait for their time, the next first. */
  scheduled: z.array(scheduledMessage),
  notes: z.array(note),
  /** How the other side can be reached: first the address from which they wrote last. */
  ways: z.array(
    z.object({
      channel: z.enum(channels),
      address: z.string(),
      /** For a reply. Null: no thread yet, so start one with the address. */
      threadId: z.uuid().nullable(),
      /** Of the thread. */
      subject: z.string().nullable(),
      /** Why nothing can be sent; of the portal, why the patient gets no email about an answer. */
      problem: z.enum(wayProblems).nullable(),
      /** Other patients with the phone number. */
      sharedWith: z.array(party),
    }),
  ),
})

/** Spec 3: per patient, or per address of an unknown sender. */
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
const noScheduled = { NOT_FOUND: { status: 404, message: 'This message was sent or cancelled' } } as const
const noQuickReply = { NOT_FOUND: { status: 404, message: 'This quick reply does not exist' } } as const
const noMessage = { NOT_FOUND: { status: 404, message: 'This message does not exist' } } as const
const fields = z.object({ fields: z.record(z.string(), z.string()) })

/** The newest message that the author has seen: if a colleague has written since, nothing is sent. Left out, it is sent in any case. */
const seenUntil = instant.optional()

const words = {
  /** Empty for an email with `html`, from which it is derived. */
  text: anyText(50_000, inboxMessages.words),
  /** Bold, italic and underlined text, lists, quotes, links and uploaded pictures (`cid:` and the id); anything else is dropped. */
  html: z.string().max(maxWrittenHtml, 'This email is too long').refine(isStorable, notStorable).nullable().default(null),
  /** Of an email: whether the author's signature is added, in the patient's language. */
  withSignature: z.boolean('Use true or false').default(false),
}
const hasWords = ({ text, html }: { text: string; html: string | null }) => text !== '' || html !== null
const noWords = { path: ['text'], message: inboxMessages.words }

const mail = z.strictObject({
  ...words,
  /** Of a template; without one, only the text is sent. */
  templateId: z.uuid().nullable().default(null),
  documentIds: z.array(z.uuid()).max(20, 'At most 20 documents').default([]),
  /** Marketing: it needs an active consent, and says how to unsubscribe or stop. A template of the category 'marketing' sets it automatically. */
  isCommercial: z.boolean('Use true or false').default(false),
  seenUntil,
  idempotencyKey: idempotencyKeyShape,
})

export const sendingRefusals = {
  ANSWERED: { status: 409, message: 'A colleague has answered since you opened this conversation.' },
  TEXT_ONLY: {
    status: 409,
    message: 'This message is text only. Share documents with the patient under Documents, and send marketing by email or text message.',
  },
  KEY_REUSED: { status: 409, message: 'This key was used for another message' },
  SUPPRESSED: { status: 409, message: 'No email is sent to this address: it bounced, or its owner complained.' },
  NO_TEXTING: {
    status: 409,
    message: 'Text messages are not set up on this server. An administrator finds how under Settings, Integrations.',
  },
  FOREIGN_NUMBER: {
    status: 409,
    message: 'The practice sends no text messages to numbers of this country. Call the patient, or write an email.',
  },
  LANDLINE: { status: 409, message: 'This number is a landline, or its carrier takes no texts. Call the patient, or write an email.' },
  STOPPED: { status: 409, message: 'This number answered STOP. It gets no text messages until its owner sends START.' },
  NO_POSTAL_ADDRESS: {
    status: 409,
    message: 'Marketing must include the practice’s postal address. An administrator sets it under Settings, Practice.',
  },
  NO_CONSENT: {
    status: 409,
    message: 'This patient has not consented to marketing email, or has unsubscribed this address. Record their consent first.',
  },
  INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
  TOO_LARGE: { status: 422, message: 'The attachments are too large: 7 MB together at most', data: fields },
} as const

/** A text message has no attachments. */
const sending = sendingRefusals
const { TOO_LARGE: _, ...sendingText } = sending

const tags = ['Inbox']
const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

export const inboxContract = {
  unreadCount: get('/inbox/unread/count', 'Count unread messages').output(z.object({ count: z.number().int() })),
  unread: get('/inbox/unread', 'List unread messages by patient, newest first, with the number of patients')
    .input(z.strictObject(pages.input))
    .output(pages.output(unreadSummary).extend({ total: z.number().int() })),
  unreadOfContact: get('/inbox/contacts/{contactId}/unread', 'List a patient’s unread messages, newest first')
    .input(ofContact.extend(unreadPages.input))
    .output(
      unreadPages.output(
        z.object({ id: z.uuid(), subject: z.string(), body: z.string(), created_at: z.date(), conversation_id: z.uuid() }),
      ),
    ),
  conversations: get('/inbox/conversations', 'List conversations, one for each patient and unknown sender, most recent message first')
    .input(conversationFilters.extend(pages.input))
    .output(pages.output(conversationRow)),
  conversation: get('/inbox/conversations/{id}', 'Get a conversation with its notes and a page of its messages, newest first')
    .input(one.extend(messagePages.input))
    .errors(noConversation)
    .output(conversationDetails),
  start: post('/inbox/conversations', 'Email a patient about a new subject')
    .input(
      mail
        .extend({
          contactId: z.uuid(),
          email: requiredText(320, 'Choose an address'),
          subject: requiredLine(300, inboxMessages.subject),
        })
        .refine(hasWords, noWords),
    )
    .errors({ ...sending, NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ id: z.uuid(), messageId: z.uuid() })),
  phones: get('/inbox/contacts/{contactId}/phones', 'List a patient’s phones, and why one cannot be texted')
    .input(ofContact)
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(
      z.object({
        /** Whether the server can send text messages. */
        isSetUp: z.boolean(),
        phones: z.array(
          z.object({
            phone: z.string(),
            /** E.164. */
            number: z.string().nullable(),
            problem: z.enum(['incomplete', 'landline', 'other', 'country', 'stopped']).nullable(),
          }),
        ),
        /** The quiet hours, if the patient is in them: the time there and the one at which they end, both HH:mm on the patient's clock. */
        night: z.object({ time: z.string(), endsAt: z.date(), endTime: z.string() }).nullable(),
        /** What a segment costs, in hundredths of a cent. */
        segmentPrice: z.number().int(),
        /** The line that ends a marketing text, in the patient’s language. */
        marketingEnd: z.string(),
      }),
    ),
  text: post('/inbox/texts', 'Send a text message to a patient')
    .input(
      z.strictObject({
        contactId: z.uuid(),
        phone: requiredText(50, 'Choose a phone number'),
        text: requiredText(maxTextLength, inboxMessages.words),
        seenUntil,
        isCommercial: mail.shape.isCommercial,
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({ ...sendingText, NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ id: z.uuid(), messageId: z.uuid() })),
  reply: post('/inbox/conversations/{id}/reply', 'Reply in a thread of a conversation')
    .input(mail.extend({ id: z.uuid() }).refine(hasWords, noWords))
    .errors({ ...noConversation, ...sending })
    .output(z.object({ messageId: z.uuid() })),
  schedule: post('/inbox/scheduled', 'Schedule a text message or an email to a patient')
    .input(
      z
        .strictObject({
          contactId: z.uuid(),
          channel: z.enum(['sms', 'email']),
          address: requiredText(320, 'Choose an address'),
          /** The thread of emails to continue. */
          threadId: z.uuid().nullable().default(null),
          subject: requiredLine(300, inboxMessages.subject).nullable().default(null),
          ...words,
          templateId: z.uuid().nullable().default(null),
          isCommercial: z.boolean('Use true or false').default(false),
          sendAt: instant,
          idempotencyKey: idempotencyKeyShape,
        })
        .refine(hasWords, noWords),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This patient does not exist' },
      KEY_REUSED: sending.KEY_REUSED,
      INVALID_REFERENCE: sending.INVALID_REFERENCE,
    })
    .output(z.object({ id: z.uuid() })),
  changeScheduled: oc
    .route({ method: 'PATCH', path: '/inbox/scheduled/{id}', tags, summary: 'Change the text and the time of a scheduled message' })
    .input(one.extend({ text: words.text, html: words.html, sendAt: instant }).refine(hasWords, noWords))
    .errors({ ...noScheduled, INVALID_REFERENCE: sending.INVALID_REFERENCE })
    .output(z.object({ id: z.uuid() })),
  cancelScheduled: oc
    .route({ method: 'DELETE', path: '/inbox/scheduled/{id}', tags, summary: 'Cancel a scheduled message' })
    .input(one)
    .errors(noScheduled)
    .output(z.object({ id: z.uuid() })),
  sendScheduled: post('/inbox/scheduled/{id}/send', 'Send a scheduled message at once')
    .input(one)
    .errors({ ...noScheduled, ...sendingText })
    .output(z.object({ id: z.uuid(), messageId: z.uuid() })),
  quickReplies: get('/inbox/quick-replies', 'List the practice’s quick replies').output(z.array(quickReply)),
  saveQuickReply: post('/inbox/quick-replies', 'Add or change a quick reply')
    .input(
      z.strictObject({
        /** Of the one to change. */
        id: z.uuid().optional(),
        name: requiredLine(60, 'Name is required'),
        language: z.enum(languages),
        text: requiredText(maxTextLength, inboxMessages.words),
      }),
    )
    .errors({ ...noQuickReply, NAME_TAKEN: { status: 409, message: 'Another quick reply in this language has this name' } })
    .output(quickReply),
  deleteQuickReply: oc
    .route({ method: 'DELETE', path: '/inbox/quick-replies/{id}', tags, summary: 'Delete a quick reply' })
    .input(one)
    .errors(noQuickReply)
    .output(z.object({ id: z.uuid() })),
  replying: post('/inbox/conversations/{id}/replying', 'Tell colleagues that you are writing in a conversation')
    .input(one)
    .errors(noConversation)
    .output(z.object({ id: z.uuid() })),
  resend: post('/inbox/messages/{id}/resend', 'Resend a message that was not sent')
    .input(one)
    .errors({
      ...noMessage,
      NOT_FAILED: { status: 409, message: 'This message was already sent or is being sent' },
      SUPPRESSED: sending.SUPPRESSED,
      STOPPED: sending.STOPPED,
      LANDLINE: sending.LANDLINE,
    })
    .output(z.object({ status: z.enum(messageStatuses) })),
  addNote: post('/inbox/conversations/{id}/notes', 'Add an internal note')
    .input(one.extend({ text: requiredText(5_000, 'Write a note') }))
    .errors(noConversation)
    .output(note),
  change: oc
    .route({ method: 'PATCH', path: '/inbox/conversations/{id}', tags, summary: 'Assign, archive, snooze or reopen a conversation' })
    .input(
      one
        .extend({
          assignedTo: z.uuid().nullable().optional(),
          status: z.enum(conversationStatuses).optional(),
          /** Null ends the snooze. */
          snoozedUntil: instant.nullable().optional(),
        })
        .refine((change) => Object.values(change).filter((value) => value !== undefined).length > 1, 'Specify what to change'),
    )
    .errors({ ...noConversation, INVALID_REFERENCE: sending.INVALID_REFERENCE })
    .output(conversation),
  link: post('/inbox/conversations/{id}/contact', 'Link a conversation to a patient, or create one from the sender')
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
      LINKED_ALREADY: { status: 409, message: 'Someone has linked this conversation since you opened it.' },
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
  markAllRead: post('/inbox/read', 'Mark every message that arrived before a given time as read')
    .input(z.strictObject({ before: instant }))
    .output(z.object({ count: z.number().int() })),
}
