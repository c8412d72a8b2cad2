import { and, asc, count, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { emailsOf, patientsWithPhone } from '../../crm/contacts/service.ts'
import { suppressionOf } from '../../platform/mail/service.ts'
import { attachmentsOf } from './receive/attachments.ts'
import { picturesShownIn } from './receive/pictures.ts'
import { snippetOf, snippetSource } from './rules.ts'
import { sizeOfText } from './text-rules.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { findConversations, type Found, newestOf } from './search.ts'
import { conversationNotes, conversations, messageAttachments, messages } from './table.ts'

export type ListedConversations = {
  show: 'active' | 'unread' | 'mine' | 'unassigned' | 'unknown' | 'archived' | 'all'
  contactId?: string | undefined
  search?: string | undefined
  cursor?: InstantPlace | undefined
  limit: number
}

const isUnread = and(eq(messages.direction, 'inbound'), isNull(messages.readAt))
const hasUnread = sql`exists (select 1 from ${messages} where ${messages.conversationId} = ${conversations.id} and ${isUnread})`

/** The columns of a conversation that every response includes. */
const columns = {
  id: conversations.id,
  contactId: conversations.contactId,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  subject: conversations.subject,
  channel: conversations.channel,
  status: conversations.status,
  address: conversations.address,
  name: conversations.name,
  assignedTo: conversations.assignedTo,
  lastMessageAt: conversations.lastMessageAt,
}
type Told = { [Key in keyof typeof columns]: unknown } & { contactId: string | null; firstName: string | null; lastName: string | null }

const withContact = <Row extends Told>({ contactId, firstName, lastName, ...row }: Row) => ({
  ...row,
  contact: contactId === null ? null : { id: contactId, firstName: firstName ?? '', lastName: lastName ?? '' },
})

function shown(scope: Scope, show: ListedConversations['show']): SQL | undefined {
  const isActive = eq(conversations.status, 'active')
  switch (show) {
    case 'active':
      return isActive
    case 'unread':
      return hasUnread
    case 'mine':
      return and(isActive, eq(conversations.assignedTo, staff(scope).id))
    case 'unassigned':
      return and(isActive, isNull(conversations.assignedTo))
    case 'unknown':
      return and(isActive, isNull(conversations.contactId))
    case 'archived':
      return eq(conversations.status, 'archived')
    case 'all':
      return undefined
  }
}

/** What a line of the list says of each conversation, the newest first. */
function linesOf(db: Db, which: SQL) {
  const last = db
    .select({ body: sql<string>`left(${messages.body}, ${sql.raw(String(snippetSource))})`.as('last_body'), direction: messages.direction })
    .from(messages)
    .where(eq(messages.conversationId, conversations.id))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
    .as('last')
  const unread = db
    .select({ count: count().as('unread_count') })
    .from(messages)
    .where(and(eq(messages.conversationId, conversations.id), isUnread))
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
      ...columns,
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

/** Conversations by id. Prepared once, because planning takes as long as running. */
const lines = prepared((db) => linesOf(db, sql`${conversations.id} = any(${sql.placeholder('ids')}::uuid[])`).prepare('inbox-lines'))

/** The newest of the list that is looked at most: in one statement. */
const newestActive = prepared((db) =>
  linesOf(db, eq(conversations.status, 'active')).limit(sql.placeholder('needed')).prepare('inbox-newest'),
)

/** A page of conversations, and the cursor of the next page, if any. */
async function findLines(scope: Scope, { show, contactId, search, cursor, limit }: ListedConversations) {
  const needed = limit + 1
  const endOf = (found: readonly Found[]) => (found.length > limit ? found[limit - 1] : undefined)
  if (show === 'active' && !contactId && !search && !cursor) {
    const rows = await newestActive(scope.db).execute({ needed })
    return { page: rows.slice(0, limit), end: endOf(rows) }
  }
  const filter = and(
    shown(scope, show),
    contactId ? eq(conversations.contactId, contactId) : undefined,
    isOlderThan(cursor, conversations.lastMessageAt, conversations.id),
  )
  const ask = async (statement: SQL) => (await scope.db.execute<Found>(statement)).rows
  const found = await (search ? findConversations(ask, { filter, needed, search }) : ask(newestOf({ filter, needed })))
  // A conversation without a message is not listed, and must not end the list.
  return { page: await lines(scope.db).execute({ ids: found.slice(0, limit).map(({ id }) => id) }), end: endOf(found) }
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

/** A conversation with its newest messages, or those before a cursor. Null: not found. */
export async function findConversation(scope: Scope, { id, cursor, limit }: MessagesPage) {
  const [row] = await scope.db
    .select(columns)
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(eq(conversations.id, id))
  if (!row) return null
  if (row.contactId) await scope.recordView({ kind: 'conversation', contactIds: [row.contactId] })
  const [found, notes, known, suppressed, owners] = await Promise.all([
    scope.db
      .select({ message: shownOfMessage, exact: exactInstant(messages.createdAt) })
      .from(messages)
      .where(and(eq(messages.conversationId, id), isOlderThan(cursor, messages.createdAt, messages.id)))
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(limit + 1),
    scope.db
      .select()
      .from(conversationNotes)
      .where(eq(conversationNotes.conversationId, id))
      .orderBy(asc(conversationNotes.createdAt), asc(conversationNotes.id)),
    row.contactId ? emailsOf(scope.db, row.contactId) : null,
    suppressionOf(scope.db, row.address),
    row.channel === 'sms' ? patientsWithPhone(scope.db, row.address) : [],
  ])
  const { data: shownRows, nextCursor } = cursorPage(found, limit, ({ exact, message }) => placeOf({ exact, id: message.id }))
  const attachments = Map.groupBy(
    shownRows.length === 0
      ? []
      : await attachmentsOf(
          scope.db,
          shownRows.map(({ message }) => message.id),
        ),
    ({ messageId }) => messageId,
  )
  const theirs = known?.map(addressKey)
  const isAnothersNumber = row.contactId !== null && !owners.some(({ id: owner }) => owner === row.contactId)
  return {
    ...withContact(row),
    messages: shownRows.toReversed().map(({ message }) => ({
      ...message,
      isAutomatic: message.metadata?.isAutomatic === true,
      isFromElsewhere:
        message.direction === 'inbound' &&
        (row.channel === 'sms'
          ? isAnothersNumber
          : row.channel === 'email' && theirs !== undefined && !theirs.includes(addressKey(message.fromEmail))),
      canResend:
        message.status === 'failed' && (row.channel !== 'sms' || (message.messageId === null && message.metadata?.isAnswerToWord !== true)),
      segments: row.channel === 'sms' && message.direction === 'outbound' ? segmentsOf(message) : null,
      attachments: withShown(scope, message.htmlBody, attachments.get(message.id) ?? []),
    })),
    nextCursor,
    notes,
    // People who want no marketing can still get a reply.
    suppressed,
    sharedWith: owners.filter(({ id: owner }) => owner !== row.contactId),
  }
}

/** As Twilio counted them, or as it will. */
const segmentsOf = ({ metadata, body }: Pick<typeof messages.$inferSelect, 'metadata' | 'body'>): number =>
  typeof metadata?.segments === 'number' ? metadata.segments : sizeOfText(body).segments

function withShown(scope: Scope, html: string | null, attachments: Awaited<ReturnType<typeof attachmentsOf>>) {
  const shown = new Set(picturesShownIn(scope, html, attachments).values())
  return attachments.map((attachment) => ({ ...attachment, isShown: shown.has(attachment) }))
}

/** A conversation after a change. */
export async function conversationTold(tx: Db, id: string) {
  const [row] = await tx
    .select(columns)
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(eq(conversations.id, id))
  return withContact(row!)
}
