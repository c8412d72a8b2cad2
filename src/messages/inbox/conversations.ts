import { and, asc, count, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { readPhone } from '../../crm/contacts/service.ts'
import type { conversationFilters } from './contract.ts'
import { attachmentsOf } from './receive/attachments.ts'
import { picturesShownIn } from './receive/pictures.ts'
import { originOf, snippetOf, snippetSource } from './rules.ts'
import { sizeOfText } from './text-rules.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { findConversations, type Found, newestOf } from './search.ts'
import { conversationNotes, conversations, messageAttachments, messages, scheduledMessages, textLinks } from './table.ts'
import { assignee, inSameConversation, isArchived, isListed, isOpen, partyOf, snoozedUntil, threadIds } from './threads.ts'
import { type Way, waysOf } from './ways.ts'

export type ListedConversations = {
  show: z.output<typeof conversationFilters>['show']
  contactId?: string | undefined
  search?: string | undefined
  cursor?: InstantPlace | undefined
  limit: number
}

const isUnread = and(eq(messages.direction, 'inbound'), isNull(messages.readAt))
const hasUnread = sql`exists (
  select 1 from ${messages} join conversations as thread on thread.id = ${messages.conversationId}
  where ${partyOf('thread')} = ${partyOf()} and ${isUnread})`

/** The columns of a conversation that every response includes: those of the thread by which it is listed. */
const columnsAt = (now: Date | SQL) => ({
  id: conversations.id,
  contactId: conversations.contactId,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  subject: conversations.subject,
  channel: conversations.channel,
  status: conversations.status,
  address: conversations.address,
  name: conversations.name,
  assignedTo: assignee,
  snoozedUntil: sql<Date | null>`${snoozedUntil(now)}`.mapWith(conversations.snoozedUntil),
  lastMessageAt: conversations.lastMessageAt,
})
type Told = { [Key in keyof ReturnType<typeof columnsAt>]: unknown } & {
  contactId: string | null
  firstName: string | null
  lastName: string | null
}

const withContact = <Row extends Told>({ contactId, firstName, lastName, ...row }: Row) => ({
  ...row,
  contact: contactId === null ? null : { id: contactId, firstName: firstName ?? '', lastName: lastName ?? '' },
})

/** The threads by which the wanted conversations are listed. */
function shown(scope: Scope, show: ListedConversations['show']): SQL {
  const me = () => staff(scope).id
  const isDue = sql`${isOpen} and ${snoozedUntil(scope.now())} is null`
  switch (show) {
    case 'active':
      return isDue
    case 'snoozed':
      return sql`${isOpen} and ${snoozedUntil(scope.now())} is not null`
    case 'unread':
      return sql`${isListed} and ${hasUnread}`
    case 'mine': {
      const theirs = sql`select ${partyOf('thread')} from conversations as thread where thread.assigned_to = ${me()}`
      return sql`${isDue} and ${partyOf()} in (${theirs}) and ${assignee} = ${me()}`
    }
    case 'unassigned':
      return sql`${isDue} and ${assignee} is null`
    case 'unknown':
      return sql`${isDue} and conversations.contact_id is null`
    case 'archived':
      return isArchived
    case 'all':
      return isListed
  }
}

/** What a line of the list says of each conversation, the newest first. @param which the thread by which each is listed. */
function linesOf(db: Db, now: SQL, which: SQL) {
  const last = db
    .select({ body: sql<string>`left(${messages.body}, ${sql.raw(String(snippetSource))})`.as('last_body'), direction: messages.direction })
    .from(messages)
    .where(eq(messages.conversationId, conversations.id))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
    .as('last')
  const threads = sql`(select thread.id from conversations as thread where ${partyOf('thread')} = ${partyOf()})`
  const unread = db
    .select({ count: count().as('unread_count') })
    .from(messages)
    .where(and(sql`${messages.conversationId} in ${threads}`, isUnread))
    .as('unread')
  // Looked up per conversation: a join would make the database gather the attachments of all conversations first.
  const attached = db
    .select({ isThere: sql<boolean>`true`.as('is_there') })
    .from(messages)
    .innerJoin(messageAttachments, eq(messageAttachments.messageId, messages.id))
    .where(eq(messages.conversationId, conversations.id))
    .limit(1)
    .as('attached')
  return db
    .select({
      ...columnsAt(now),
      exact: exactInstant(conversations.lastMessageAt),
      lastBody: last.body,
      lastDirection: last.direction,
      unreadCount: unread.count,
      hasAttachments: sql<boolean>`${attached.isThere} is not null`,
    })
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .innerJoinLateral(last, sql`true`)
    .innerJoinLateral(unread, sql`true`)
    .leftJoinLateral(attached, sql`true`)
    .where(which)
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
}

const theNow = sql`${sql.placeholder('now')}::timestamptz`

/** Conversations by id. Prepared once, because planning takes as long as running. */
const lines = prepared((db) =>
  linesOf(db, theNow, sql`${conversations.id} = any(${sql.placeholder('ids')}::uuid[])`).prepare('inbox-lines'),
)

/** The newest of the list that is looked at most: in one statement. */
const newestActive = prepared((db) =>
  linesOf(db, theNow, sql`${isOpen} and ${snoozedUntil(theNow)} is null`)
    .limit(sql.placeholder('needed'))
    .prepare('inbox-newest'),
)

/** A page of conversations, and the cursor of the next page, if any. */
async function findLines(scope: Scope, { show, contactId, search, cursor, limit }: ListedConversations) {
  const needed = limit + 1
  const endOf = (found: readonly Found[]) => (found.length > limit ? found[limit - 1] : undefined)
  if (show === 'active' && !contactId && !search && !cursor) {
    const rows = await newestActive(scope.db).execute({ needed, now: scope.now() })
    return { page: rows.slice(0, limit), end: endOf(rows) }
  }
  const filter = and(
    contactId ? eq(conversations.contactId, contactId) : undefined,
    isOlderThan(cursor, conversations.lastMessageAt, conversations.id),
    shown(scope, show),
  )!
  const ask = async (statement: SQL) => (await scope.db.execute<Found>(statement)).rows
  const found = await (search ? findConversations(ask, { filter, needed, search }) : ask(newestOf({ filter, needed })))
  // A conversation without a message is not listed, and must not end the list.
  return { page: await lines(scope.db).execute({ ids: found.slice(0, limit).map(({ id }) => id), now: scope.now() }), end: endOf(found) }
}

/** A page of conversations, those with the newest message first. */
export async function listConversations(scope: Scope, wanted: ListedConversations) {
  const { page, end } = await findLines(scope, wanted)
  const contactIds = [...new Set(page.flatMap(({ contactId }) => contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'conversation', contactIds })
  return {
    data: page.map(({ exact: _, lastBody, ...row }) => ({ ...withContact(row), snippet: snippetOf(lastBody) })),
    nextCursor: end ? placeOf(end) : null,
  }
}

// The words are only for the search.
const { words: _, ...shownOfMessage } = getTableColumns(messages)

type MessagesPage = { id: string; cursor?: InstantPlace | undefined; limit: number }

/** A conversation with its newest messages, or those before a cursor. `id`: any of its threads. Null: not found. */
export async function findConversation(scope: Scope, { id, cursor, limit }: MessagesPage) {
  const row = await listedThread(scope.db, scope.now(), id)
  if (!row) return null
  const { contactId } = row
  if (contactId) await scope.recordView({ kind: 'conversation', contactIds: [contactId] })
  const [found, notes, ways, scheduled] = await Promise.all([
    messagesOf(scope.db, id, { cursor, limit: limit + 1 }),
    scope.db
      .select()
      .from(conversationNotes)
      .where(sql`${conversationNotes.conversationId} in ${threadIds(id)}`)
      .orderBy(asc(conversationNotes.createdAt), asc(conversationNotes.id)),
    waysOf(scope.db, scope.env, row),
    scheduledOf(scope.db, contactId),
  ])
  const { data: shownRows, nextCursor } = cursorPage(found, limit, placeOf)
  const attachments = Map.groupBy(
    shownRows.length === 0
      ? []
      : await attachmentsOf(
          scope.db,
          shownRows.map((message) => message.id),
        ),
    ({ messageId }) => messageId,
  )
  /** A patient writes from an address or a phone that their record does not have. */
  const isFromElsewhere = ({ direction, channel, fromEmail }: Pick<(typeof shownRows)[number], 'direction' | 'channel' | 'fromEmail'>) => {
    if (direction !== 'inbound' || channel === 'portal' || contactId === null) return false
    const key = channel === 'email' ? addressKey(fromEmail) : fromEmail
    return !ways.some((way) => way.channel === channel && way.isInRecord && keyOf(way) === key)
  }
  return {
    ...withContact(row),
    messages: shownRows.toReversed().map(({ exact: _, ...message }) => ({
      ...message,
      isAutomatic: message.metadata?.isAutomatic === true,
      isFromElsewhere: isFromElsewhere(message),
      origin: originOf(message),
      canResend:
        message.status === 'failed' &&
        (message.channel !== 'sms' || (message.messageId === null && message.metadata?.isAnswerToWord !== true)),
      segments: message.channel === 'sms' && message.direction === 'outbound' ? segmentsOf(message) : null,
      attachments: withShown(scope, message.htmlBody, attachments.get(message.id) ?? []),
    })),
    nextCursor,
    notes,
    scheduled,
    ways: ways.map(({ isInRecord: _, ...way }) => way),
  }
}

const keyOf = ({ channel, address }: Way): string => (channel === 'email' ? addressKey(address) : (readPhone(address)?.number ?? address))

/** The messages to a patient that wait for their time, the next first. */
const scheduledOf = async (db: Db, contactId: string | null) =>
  contactId === null
    ? []
    : db
        .select()
        .from(scheduledMessages)
        .where(eq(scheduledMessages.contactId, contactId))
        .orderBy(asc(scheduledMessages.sendAt), asc(scheduledMessages.id))

/** The thread by which the conversation of a thread is listed. */
export async function listedThread(db: Db, now: Date, id: string) {
  const [row] = await db
    .select(columnsAt(now))
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(inSameConversation(id))
    .orderBy(desc(eq(conversations.status, 'active')), desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(1)
  return row ?? null
}

/** When the patient first opened a short link of a text. */
const linkOpenedAt = sql<Date | null>`(select min(opened_at) from text_links where message_id = ${messages.id})`.mapWith(textLinks.openedAt)

/** The newest messages of all threads of a conversation. Each thread is read only as far as needed. */
function messagesOf(db: Db, id: string, { cursor, limit }: { cursor: InstantPlace | undefined; limit: number }) {
  const newest = sql`
    select newest.id from conversations cross join lateral (
      select id, created_at from messages where conversation_id = conversations.id and ${isOlderThan(cursor, sql`created_at`, sql`messages.id`) ?? sql`true`}
      order by created_at desc, id desc limit ${limit}) as newest
    where ${inSameConversation(id)} order by newest.created_at desc, newest.id desc limit ${limit}`
  return db
    .select({ ...shownOfMessage, channel: conversations.channel, linkOpenedAt, exact: exactInstant(messages.createdAt) })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(sql`${messages.id} in (${newest})`)
    .orderBy(desc(messages.createdAt), desc(messages.id))
}

/** As Twilio counted them, or as it will. */
const segmentsOf = ({ metadata, body }: Pick<typeof messages.$inferSelect, 'metadata' | 'body'>): number =>
  typeof metadata?.segments === 'number' ? metadata.segments : sizeOfText(body).segments

function withShown(scope: Scope, html: string | null, attachments: Awaited<ReturnType<typeof attachmentsOf>>) {
  const shown = new Set(picturesShownIn(scope, html, attachments).values())
  return attachments.map((attachment) => ({ ...attachment, isShown: shown.has(attachment) }))
}

/** A conversation after a change. */
export const conversationTold = async (tx: Db, { now }: Pick<Scope, 'now'>, id: string) => withContact((await listedThread(tx, now(), id))!)
