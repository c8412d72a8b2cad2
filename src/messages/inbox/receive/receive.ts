import { randomBytes } from 'node:crypto'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { findByEmail, lockByEmail } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addInteraction } from '../../../crm/interactions/service.ts'
import { announceConversation } from '../announce.ts'
import { storeRows } from '../../../documents/service.ts'
import { attachTo, keepAttachments } from './attachments.ts'
import { giveConversation } from './owner.ts'
import type { ReadMail } from './mail-worker.ts'
import { type Channel, entryOf, subjectKeyOf } from '../rules.ts'
import { addressKey } from '../../../platform/mail/rules.ts'
import { sanitiseMail, textOfHtml } from '../../../platform/mail/service.ts'
import { conversations, messages } from '../table.ts'
import { type Beginner, lockForMessage, statusOfNew, type Thread } from '../threads.ts'

/** A longer text is truncated, and the message says so. */
const maxTextLength = 200_000
/** When HTML cannot be sanitized in time, text is extracted from its beginning. */
const maxHtmlLength = 1_000_000
const noSubject = '(no subject)'

/**
 * Stores an incoming email once per MessageID, however often it is posted: in the thread with its hash, else the latest one with this sender
 * and subject, else a new one (spec 7). Returns its id.
 */
export async function receive(scope: Scope, mail: ReadMail): Promise<{ id: string }> {
  const known = await messageOf(scope.db, mail.MessageID)
  if (known) return known
  // The bytes are stored before their row; those of an email that another request stored first are swept.
  const attachments = await keepAttachments(scope, mail.attachments)
  const safe = await sanitiseMail(mail.HtmlBody, 'outside')
  const text = mail.TextBody || textOfHtml(safe ? safe.html : mail.HtmlBody.slice(0, maxHtmlLength))
  const body = clean(text, maxTextLength)
  const store = async (tx: Db) => {
    await lockSender(tx, addressKey(senderOf(mail)))
    const received = await messageOf(tx, mail.MessageID)
    if (received) return received
    const conversation = await threadOf(tx, scope, mail)
    const message = {
      id: uuidv7(),
      conversationId: conversation.id,
      direction: 'inbound' as const,
      subject: subjectOf(mail) || noSubject,
      body,
    }
    const { id } = message
    await tx.insert(messages).values({
      ...message,
      messageId: mail.MessageID,
      fromEmail: senderOf(mail),
      fromName: nameOf(mail),
      toEmail: clean(mail.OriginalRecipient || mail.To, 1_000),
      htmlBody: safe?.html || null,
      remoteImages: safe?.remoteImages ?? 0,
      metadata: {
        isAutomatic: isAutomatic(mail),
        isTruncated: (safe?.isTruncated ?? true) || text.length > maxTextLength,
        recipients: mail.ToFull.length + mail.CcFull.length,
      },
      status: 'received',
      createdAt: scope.now(),
    })
    await attachTo(tx, scope, { messageId: id, contactId: conversation.contactId }, attachments)
    await tx.update(conversations).set({ status: 'active', lastMessageAt: scope.now() }).where(eq(conversations.id, conversation.id))
    if (conversation.contactId) await addToTimeline(tx, scope, conversation.contactId, message)
    await announceConversation(tx, conversation.id)
    return { id }
  }
  const files = attachments.flatMap((attachment) => ('file' in attachment ? [attachment.file] : []))
  return storeRows(scope, files, () => scope.db.transaction(store))
}

async function messageOf(tx: Db, messageId: string): Promise<{ id: string } | null> {
  const [row] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.direction, 'inbound'), eq(messages.messageId, messageId)))
  return row ?? null
}

/** Serializes emails of one sender, so that none is stored twice, and two with a new subject share one thread. */
const lockSender = (tx: Db, address: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`conversations with ${address}`}, 0))`)

async function threadOf(tx: Db, scope: Scope, mail: ReadMail): Promise<Thread> {
  const hash = mail.MailboxHash || mail.ToFull.find(({ MailboxHash }) => MailboxHash !== '')?.MailboxHash
  const byHash = hash ? await threadWith(tx, scope, eq(conversations.threadId, hash)) : null
  if (byHash) return byHash
  const address = addressKey(senderOf(mail))
  const isAbout = eq(conversations.subjectKey, subjectKeyOf(subjectOf(mail)))
  const bySubject = await threadWith(tx, scope, and(eq(conversations.address, address), isAbout, eq(conversations.channel, 'email'))!)
  if (bySubject) return bySubject
  const contact = await findByEmail(tx, address)
  return openThread(tx, scope, { contactId: contact?.id ?? null, subject: subjectOf(mail), address, name: nameOf(mail) })
}

/** The latest of these threads, locked. A patient may have added an unknown sender's address since: then the conversation becomes theirs. */
async function threadWith(tx: Db, scope: Scope, which: SQL): Promise<Thread | null> {
  const [found] = await tx.select().from(conversations).where(which).orderBy(desc(conversations.lastMessageAt)).limit(1)
  const threads = found ? await lockForMessage(tx, found) : []
  const [thread] = threads
  if (!thread || thread.contactId !== null) return thread ?? null
  const contact = await lockByEmail(tx, thread.address)
  if (!contact) return thread
  await giveConversation(tx, scope, threads, contact.id)
  return { ...thread, contactId: contact.id }
}

type NewThread = { contactId: string | null; subject: string; address: string; name: string | null; channel?: Channel }

/** A new thread; spec 4: active at creation, unless it was not begun `by` a person. */
export async function openThread(tx: Db, scope: Pick<Scope, 'now'>, given: NewThread & { by?: Beginner }): Promise<Thread> {
  const [thread] = await openThreads(tx, scope, [given])
  return thread!
}

/** The same for several, in this order. */
export async function openThreads(
  tx: Db,
  scope: Pick<Scope, 'now'>,
  wanted: readonly (NewThread & { by?: Beginner })[],
): Promise<Thread[]> {
  const at = scope.now()
  const values = wanted.map(({ by = 'person', ...given }) => ({
    ...given,
    status: statusOfNew(by, given),
    subject: given.subject || noSubject,
    subjectKey: subjectKeyOf(given.subject),
    // 128 bits: anyone who guesses a hash could write into someone's conversation.
    threadId: randomBytes(16).toString('hex'),
    lastMessageAt: at,
    createdAt: at,
  }))
  if (values.length === 0) return []
  const rows = new Map((await tx.insert(conversations).values(values).returning()).map((row) => [row.threadId, row]))
  return values.map(({ threadId }) => rows.get(threadId)!)
}

type LoggedMessage = Pick<typeof messages.$inferSelect, 'id' | 'conversationId' | 'direction' | 'body' | 'subject'> & { channel?: Channel }

/** Adds a message of the patient to their timeline. */
export async function addToTimeline(tx: Db, scope: Scope, contactId: string, message: LoggedMessage): Promise<void> {
  const { id: messageId, conversationId, direction, channel } = message
  await addInteraction(tx, scope, {
    contactId,
    type: 'email',
    description: entryOf(message),
    metadata: { conversationId, messageId, direction, ...(channel && { channel }) },
  })
  await tx.update(contacts).set({ lastContactDate: scope.now() }).where(eq(contacts.id, contactId))
  await publish(tx, 'contact', contactId)
}

/** Removes characters of headers and bodies that the database or a line of text cannot hold. */
const clean = (text: string, most: number): string => text.replaceAll('\0', '').toWellFormed().trim().slice(0, most)

const subjectOf = ({ Subject }: ReadMail): string => clean(Subject.replace(/\s+/g, ' '), 998)

function senderOf({ From, FromFull }: ReadMail): string {
  const address = FromFull?.Email ?? /<([^<>]+)>\s*$/.exec(From)?.[1] ?? From
  return clean(address.replace(/[\r\n]/g, ' '), 320)
}

const nameOf = ({ FromName, FromFull }: ReadMail): string | null => clean((FromFull?.Name || FromName).replace(/[\r\n]/g, ' '), 200) || null

/** An automatic reply: it needs no answer. */
const isAutomatic = ({ Headers }: ReadMail): boolean =>
  Headers.some(
    ({ Name, Value }) =>
      (/^auto-submitted$/i.test(Name) && !/^no\b/i.test(Value.trim())) || (/^precedence$/i.test(Name) && /bulk|junk|list/i.test(Value)),
  )
