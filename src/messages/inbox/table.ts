import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, pgView, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { documents } from '../../documents/table.ts'
import { emailTemplates } from '../email-templates/table.ts'
import type { Language } from '../../shared/translations.ts'
import type { Channel, ConversationStatus, Direction, MessageStatus } from './rules.ts'
import type { TextLinkPurpose } from './link-rules.ts'

const words = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The threads of conversations (spec 3), each with one address on one channel. `thread_id` is the hash in the recipient address of a reply. What
 * staff see as a conversation is all threads of a patient, or of an unknown address (see threads.ts).
 */
export const conversations = pgTable(
  'conversations',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** Null: not linked to a patient yet. */
    contactId: uuid('contact_id').references(() => contacts.id),
    subject: text('subject').notNull(),
    channel: text('channel').$type<Channel>().notNull().default('email'),
    status: text('status').$type<ConversationStatus>().notNull().default('active'),
    threadId: text('thread_id').notNull().unique(),
    /** The other side's address, in lower case, and their name as they write it. */
    address: text('address').notNull(),
    name: text('name'),
    /** The subject without 'Re:' and similar prefixes, to match a reply without a hash. */
    subjectKey: text('subject_key').notNull(),
    assignedTo: uuid('assigned_to').references(() => profiles.id),
    /** Hidden from the open list until then, or until the other side writes after `snoozed_at`. As the assignee, on all threads. */
    snoozedUntil: instant('snoozed_until'),
    snoozedAt: instant('snoozed_at'),
    lastMessageAt: instant('last_message_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Folded (case and accents) subject, address and name; kept by the database. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`fold(subject || ' ' || address || ' ' || coalesce(name, ''))`),
  },
  (t) => [
    // Read backwards, the newest first.
    index('conversations_newest').on(t.lastMessageAt, t.id),
    index('conversations_last').on(t.status, t.lastMessageAt, t.id),
    index('conversations_contact').on(t.contactId, t.lastMessageAt, t.id),
    index('conversations_unknown')
      .on(t.lastMessageAt, t.id)
      .where(sql`${t.contactId} is null`),
    index('conversations_assigned')
      .on(t.assignedTo, t.lastMessageAt, t.id)
      .where(sql`${t.assignedTo} is not null`),
    index('conversations_address').on(t.address, t.subjectKey),
    // The threads of one conversation, read backwards (see threads.ts).
    index('conversations_party').on(sql`coalesce("contact_id"::text, 'from ' || "address")`, t.lastMessageAt, t.id),
    index('conversations_search')
      .using('gin', sql`search_text gin_trgm_ops`)
      .with({ fastupdate: false }),
  ],
)

/** Emails and messages of the portal in both directions (spec 3). `html_body` was sanitized before it was stored. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id),
    direction: text('direction').$type<Direction>().notNull(),
    /** The provider's id; null until sent. */
    messageId: text('message_id'),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    toEmail: text('to_email').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    htmlBody: text('html_body'),
    /** The number of remote images, which load only on request. */
    remoteImages: integer('remote_images').notNull().default(0),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    status: text('status').$type<MessageStatus>().notNull(),
    /** Why it was not sent or delivered, or may not have been; or another note for its author. */
    problem: text('problem'),
    /** Sent only with an active consent and an unsubscribe link. */
    isCommercial: boolean('is_commercial').notNull().default(false),
    /** Sealed replacements inserted on sending, for the reader only, such as a sign-in link; deleted once sent. */
    sealedSecret: text('sealed_secret'),
    /** The sender's idempotency key. */
    idempotencyKey: uuid('idempotency_key').unique(),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    /** By staff; for our own in the portal, by the patient. */
    readAt: instant('read_at'),
    readBy: uuid('read_by').references(() => profiles.id),
    /** The folded words of its beginning, for the search (see search.ts); maintained by the database. */
    words: words('words')
      .notNull()
      .generatedAlwaysAs(sql`mail_words(body)`),
  },
  (t) => [
    index('messages_conversation').on(t.conversationId, t.createdAt, t.id),
    index('messages_unread')
      .on(t.conversationId, t.createdAt.desc())
      .where(sql`${t.direction} = 'inbound' and ${t.readAt} is null`),
    uniqueIndex('messages_provider').on(t.direction, t.messageId),
    // The day's limits of automatic text messages.
    index('messages_from_template')
      .on(t.createdAt)
      .where(sql`${t.metadata} @> '{"isFromTemplate": true}'`),
    index('messages_words').using('gin', t.words).with({ fastupdate: false }),
  ],
)

/** Attachments of a message. A patient's bytes are a document of theirs; an unknown sender's stay here until the conversation is linked. */
export const messageAttachments = pgTable(
  'message_attachments',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    messageId: uuid('message_id')
      .notNull()
      .references(() => messages.id),
    name: text('name').notNull(),
    /** As the sender says; of what is kept, what the bytes are. */
    mimeType: text('mime_type').notNull(),
    size: integer('size').notNull(),
    /** By which the mail's own HTML shows it. */
    contentId: text('content_id'),
    documentId: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    /** Of one that we have written ourselves, such as an invitation to an appointment: all of it. */
    text: text('text'),
    storageKey: text('storage_key').unique(),
    /** Null for a picture of an email of ours, which was drawn again before it was stored: it needs no virus scan, and becomes no document. */
    sha256: text('sha256'),
    /** Why it was not kept. */
    refusal: text('refusal'),
  },
  (t) => [index('message_attachments_message').on(t.messageId), index('message_attachments_document').on(t.documentId)],
)

/** Short links in text messages, each to one page for the patient (links/). */
export const textLinks = pgTable(
  'text_links',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    messageId: uuid('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull().unique(),
    purpose: text('purpose').$type<TextLinkPurpose>().notNull(),
    /** The path as the message shows it to staff, and sealed as it is: it may contain a secret. */
    shownPath: text('shown_path').notNull(),
    sealedPath: text('sealed_path').notNull(),
    /** When the page ends that it opens. Null: never. */
    until: instant('until'),
    expiresAt: instant('expires_at').notNull(),
    openedAt: instant('opened_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('text_links_message').on(t.messageId), index('text_links_expires').on(t.expiresAt)],
)

/**
 * Pictures that staff have put into an email that is not written yet. With the message they become its attachments; what is in no draft any more
 * is purged (see pictures.ts).
 */
export const pendingPictures = pgTable(
  'pending_pictures',
  {
    /** By which the email's HTML shows it: `cid:` and this. */
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    mimeType: text('mime_type').notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    storageKey: text('storage_key').notNull().unique(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('pending_pictures_created').on(t.createdAt)],
)

/** Internal notes about a conversation; the patient never sees them. */
export const conversationNotes = pgTable(
  'conversation_notes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id),
    text: text('text').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('conversation_notes_conversation').on(t.conversationId, t.createdAt)],
)

/** Messages that are sent at a time (see scheduled.ts). What is sent becomes a message, and its row here is deleted. */
export const scheduledMessages = pgTable(
  'scheduled_messages',
  {
    /** The author's idempotency key, and that of the message that is sent. */
    id: uuid('id').primaryKey(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    channel: text('channel').$type<Exclude<Channel, 'portal'>>().notNull(),
    address: text('address').notNull(),
    /** The thread of emails that it continues. Null: a text, or an email about something else. */
    threadId: uuid('thread_id').references(() => conversations.id, { onDelete: 'set null' }),
    subject: text('subject'),
    text: text('text').notNull(),
    /** Of an email with formatting; without its signature. */
    html: text('html'),
    withSignature: boolean('with_signature').notNull().default(false),
    templateId: uuid('template_id').references(() => emailTemplates.id, { onDelete: 'set null' }),
    isCommercial: boolean('is_commercial').notNull().default(false),
    sendAt: instant('send_at').notNull(),
    /** Why it could not be sent at its time. */
    problem: text('problem'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('scheduled_messages_contact').on(t.contactId, t.sendAt)],
)

/** Short answers of the practice, one of a name in each language. */
export const quickReplies = pgTable(
  'quick_replies',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    name: text('name').notNull(),
    language: text('language').$type<Language>().notNull(),
    text: text('text').notNull(),
  },
  (t) => [uniqueIndex('quick_replies_name').on(sql`fold(name)`, t.language)],
)

/** What the portal's role may read: the messages of the patient whose id is in the transaction (see portal/guard.ts). */
export const ownMessages = pgView('own_messages', {
  id: uuid('id').notNull(),
  conversationId: uuid('conversation_id').notNull(),
  direction: text('direction').$type<Direction>().notNull(),
  body: text('body').notNull(),
  createdAt: instant('created_at').notNull(),
  readAt: instant('read_at'),
}).existing()
