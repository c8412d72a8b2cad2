import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { DraftKind, DraftState, MailProvider, Person } from './rules.ts'

const people = (name: string) => jsonb(name).$type<Person[]>().notNull()

/** A connected mailbox, at most one per person. The credentials are sealed (kernel/seal.ts). */
export const mailboxConnections = pgTable(
  'mailbox_connections',
  {
    /** The grant id shown to the browser (spec 7). */
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    userId: uuid('user_id')
      .notNull()
      .unique()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    provider: text('provider').$type<MailProvider>().notNull(),
    email: text('email').notNull(),
    /** The Nylas grant, or Gmail's tokens. */
    sealed: text('sealed').notNull(),
    /** A hash of the Nylas grant, to match its notifications. */
    grantHash: text('grant_hash'),
    state: text('state').$type<'connected' | 'reconnect'>().notNull(),
    connectedAt: instant('connected_at').notNull(),
  },
  (t) => [index('mailbox_connections_grant').on(t.grantHash)],
)

/**
 * Threads linked to a patient's timeline. They belong to the mailbox's owner and address, so reconnecting the mailbox finds them again. A
 * restored patient may bring back a second link of a thread: the newest applies.
 */
export const mailboxLinks = pgTable(
  'mailbox_links',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** Of the mailbox, in lower case. */
    address: text('address').notNull(),
    threadId: text('thread_id').notNull(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    subject: text('subject').notNull(),
    linkedAt: instant('linked_at').notNull(),
  },
  (t) => [index('mailbox_links_thread').on(t.userId, t.address, t.threadId), index('mailbox_links_contact').on(t.contactId)],
)

/** Drafts from a person's own address. Deleted once sent, because the mailbox has the email then. */
export const mailboxDrafts = pgTable(
  'mailbox_drafts',
  {
    /** Made by the browser that began it. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<DraftKind>().notNull(),
    /** The email it replies to or forwards. */
    answers: jsonb('answers').$type<{ messageId: string; threadId: string }>(),
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    subject: text('subject').notNull(),
    /** Derived from `html`, if there is one. */
    text: text('text').notNull(),
    /** As its author's editor sent it: sanitized when it is sent. */
    html: text('html'),
    withSignature: boolean('with_signature').notNull().default(false),
    state: text('state').$type<DraftState>().notNull(),
    problem: text('problem'),
    /** When it was last handed to the provider: until a response comes, it is unknown whether it was sent. */
    handedOverAt: instant('handed_over_at'),
    version: integer('version').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('mailbox_drafts_user').on(t.userId, t.updatedAt.desc())],
)

export const mailboxDraftFiles = pgTable(
  'mailbox_draft_files',
  {
    id: uuid('id').primaryKey(),
    draftId: uuid('draft_id')
      .notNull()
      .references(() => mailboxDrafts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    mimeType: text('mime_type').notNull(),
    size: integer('size').notNull(),
    storageKey: text('storage_key').notNull(),
  },
  (t) => [index('mailbox_draft_files_draft').on(t.draftId), uniqueIndex('mailbox_draft_files_key').on(t.storageKey)],
)
