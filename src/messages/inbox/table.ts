import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { documents } from '../../documents/table.ts'
import type { ConversationStatus, Direction, MessageStatus } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const words = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Conversations by mail (spec 3), each with one address. `thread_id` is the hash that an answer brings back in its recipient. */
export const conversations = pgTable(
  'conversations',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Null: no one knows yet who writes. */
    contactId: uuid('contact_id').references(() => contacts.id),
    subject: text('subject').notNull(),
    status: text('status').$type<ConversationStatus>().notNull().default('active'),
    threadId: text('thread_id').notNull().unique(),
    /** The other side's address, in lower case, and their name as they write it. */
    address: text('address').notNull(),
    name: text('name'),
    /** The subject without 'Re:' and the like: an answer without a hash is found by it. */
    subjectKey: text('subject_key').notNull(),
    assignedTo: uuid('assigned_to').references(() => profiles.id),
    lastMessageAt: instant('last_message_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Folded (case and accents) subject, address and name; kept by the database. */
    searchText: text('search_text').notNull().generatedAlwaysAs(sql`fold(subject || ' ' || address || ' ' || coalesce(name, ''))`),
  },
  (t) => [
    // Read backwards, the newest first.
    index('conversations_newest').on(t.lastMessageAt, t.id),
    index('conversations_last').on(t.status, t.lastMessageAt, t.id),
    index('conversations_contact').on(t.contactId, t.lastMessageAt, t.id),
    index('conversations_unknown').on(t.lastMessageAt, t.id).where(sql`${t.contactId} is null`),
    index('conversations_assigned').on(t.assignedTo, t.lastMessageAt, t.id).where(sql`${t.assignedTo} is not null`),
    index('conversations_address').on(t.address, t.subjectKey),
    index('conversations_search').using('gin', sql`search_text gin_trgm_ops`).with({ fastupdate: false }),
  ],
)

/** Mails, of both directions (spec 3). `html_body` was made harmless before it was kept. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id),
    direction: text('direction').$type<Direction>().notNull(),
    /** The provider's; of one that is not sent yet there is none. */
    messageId: text('message_id'),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    toEmail: text('to_email').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    htmlBody: text('html_body'),
    /** How many of its pictures lie elsewhere, and are shown only when someone asks for them. */
    remoteImages: integer('remote_images').notNull().default(0),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    status: text('status').$type<MessageStatus>().notNull(),
    /** Why it was not sent, did not arrive, or may not have; or what else its writer should know of it. */
    problem: text('problem'),
    /** It is sent only on a live consent, and with a link that ends it. */
    isCommercial: boolean('is_commercial').notNull().default(false),
    /** What is put in when it is handed over, and is for its reader alone, such as a link that lets them in: sealed, and gone once it is sent. */
    sealedSecret: text('sealed_secret'),
    /** What anyone who sends it made, so that it is sent once however often it is asked for. */
    idempotencyKey: uuid('idempotency_key').unique(),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    readAt: instant('read_at'),
    readBy: uuid('read_by').references(() => profiles.id),
    /** The words of its beginning, folded, for the search (see search.ts); kept by the database. */
    words: words('words').notNull().generatedAlwaysAs(sql`mail_words(body)`),
  },
  (t) => [
    index('messages_conversation').on(t.conversationId, t.createdAt, t.id),
    index('messages_unread').on(t.conversationId, t.createdAt.desc()).where(sql`${t.direction} = 'inbound' and ${t.readAt} is null`),
    uniqueIndex('messages_provider').on(t.direction, t.messageId),
    index('messages_words').using('gin', t.words).with({ fastupdate: false }),
  ],
)

/** What came with a message. Of a patient's the bytes are a document of theirs; of a stranger's they wait here until it is known who writes. */
export const messageAttachments = pgTable(
  'message_attachments',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
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
    sha256: text('sha256'),
    /** Why it was not kept. */
    refusal: text('refusal'),
  },
  (t) => [index('message_attachments_message').on(t.messageId), index('message_attachments_document').on(t.documentId)],
)

/** What the staff say to each other about a conversation; the other side never sees it. */
export const conversationNotes = pgTable(
  'conversation_notes',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
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
