import { and, count, desc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { announceConversation } from './announce.ts'
import { snippetOf } from './rules.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { conversations, messages } from './table.ts'
import { partyOf, threadIds } from './threads.ts'

const isUnread = and(eq(messages.direction, 'inbound'), isNull(messages.readAt))

/** Spec 7: the number of unread inbound messages. */
export async function countUnread({ db }: Pick<Scope, 'db'>): Promise<number> {
  const [row] = await db.select({ count: count() }).from(messages).where(isUnread)
  return row!.count
}

type Page = { cursor?: InstantPlace | undefined; limit: number }

/** Spec 3: unread messages per patient or unknown address, newest first, with the number of groups. */
export async function unreadByContact(scope: Scope, { cursor, limit }: Page) {
  const counting = scope.db.execute<{ total: number }>(sql`
    select count(distinct ${partyOf('c')})::int as total
    from messages m join conversations c on c.id = m.conversation_id
    where m.direction = 'inbound' and m.read_at is null`)
  const reading = scope.db.execute<{
    contact_id: string | null
    contact_name: string
    contact_email: string | null
    id: string
    subject: string
    body: string
    created_at: string
    conversation_id: string
    unread_count: number
    exact: string
  }>(sql`
    with unread as (
      select m.id, m.created_at, ${partyOf('c')} as who
      from messages m join conversations c on c.id = m.conversation_id
      where m.direction = 'inbound' and m.read_at is null
    ), latest as (
      select distinct on (who) id, created_at, count(*) over (partition by who)::int as unread_count
      from unread order by who, created_at desc, id desc
    ), page as (
      select * from latest where ${isOlderThan(cursor, sql`created_at`, sql`id`) ?? sql`true`} order by created_at desc, id desc limit ${limit + 1}
    )
    select c.contact_id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), c.name, c.address) as contact_name,
      coalesce(p.email, c.address) as contact_email, m.id, m.subject, left(m.body, 2000) as body,
      to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
      m.conversation_id, page.unread_count, ${exactInstant(sql`m.created_at`)} as exact
    from page join messages m on m.id = page.id join conversations c on c.id = m.conversation_id left join contacts p on p.id = c.contact_id
    order by m.created_at desc, m.id desc`)
  const [{ rows }, counted] = await Promise.all([reading, counting])
  const { data: lines, nextCursor } = cursorPage(rows, limit, placeOf)
  const contactIds = lines.flatMap(({ contact_id }) => contact_id ?? [])
  if (contactIds.length > 0) await scope.recordView({ kind: 'conversation', contactIds })
  const data = lines.map(({ contact_id, contact_name, contact_email, unread_count, id, subject, body, created_at, conversation_id }) => ({
    contact_id,
    contact_name,
    contact_email,
    latest_message: { id, subject, body: snippetOf(body), created_at: new Date(created_at), conversation_id },
    unread_count,
  }))
  return { data, nextCursor, total: counted.rows[0]!.total }
}

/** Spec 7: the unread messages of one patient, newest first. */
export async function unreadOfContact(scope: Scope, { contactId, cursor, limit }: Page & { contactId: string }) {
  const rows = await scope.db
    .select({
      id: messages.id,
      subject: messages.subject,
      body: messages.body,
      created_at: messages.createdAt,
      conversation_id: messages.conversationId,
      exact: exactInstant(messages.createdAt),
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.contactId, contactId), isUnread, isOlderThan(cursor, messages.createdAt, messages.id)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(limit + 1)
  if (rows.length > 0) await scope.recordView({ kind: 'conversation', contactIds: [contactId] })
  return cursorPage(rows, limit, placeOf)
}

/** Spec 4: sets `read_at` and `read_by` of unread messages. Returns their number. */
async function markRead(scope: Scope, which: SQL | undefined): Promise<number> {
  return scope.db.transaction(async (tx) => {
    const rows = await tx
      .update(messages)
      .set({ readAt: scope.now(), readBy: staff(scope).id })
      .where(and(isUnread, which))
      .returning({ conversationId: messages.conversationId })
    const changed = [...new Set(rows.map(({ conversationId }) => conversationId))]
    // Every subscriber reloads the whole list, so one event is enough.
    for (const id of changed.slice(0, maxListed)) await announceConversation(tx, id)
    return rows.length
  })
}
const maxListed = 20

export const markContactRead = (scope: Scope, contactId: string): Promise<number> =>
  markRead(scope, sql`${messages.conversationId} in (select id from ${conversations} where ${conversations.contactId} = ${contactId})`)

/** Of an address of someone unknown. */
export const markSenderRead = (scope: Scope, address: string): Promise<number> =>
  markRead(
    scope,
    sql`${messages.conversationId} in (
      select id from ${conversations} where ${conversations.contactId} is null and ${conversations.address} = ${addressKey(address)})`,
  )

/** Of all threads of the conversation. */
export const markConversationRead = (scope: Scope, id: string): Promise<number> =>
  markRead(scope, sql`${messages.conversationId} in ${threadIds(id)}`)

/** Messages that arrive while the button is pressed stay unread. */
export const markAllRead = (scope: Scope, before: Date): Promise<number> => markRead(scope, lte(messages.createdAt, before))

/** Marks one message as read or unread. Null: not found. */
export async function markMessage(scope: Scope, id: string, isRead: boolean): Promise<{ readAt: Date | null } | null> {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.direction, 'inbound')))
      .for('update')
    if (!before) return null
    if ((before.readAt !== null) === isRead) return { readAt: before.readAt }
    const set = isRead ? { readAt: scope.now(), readBy: staff(scope).id } : { readAt: null, readBy: null }
    await tx.update(messages).set(set).where(eq(messages.id, id))
    await announceConversation(tx, before.conversationId)
    return { readAt: set.readAt }
  })
}
