import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { conversations } from './table.ts'

/*
 * A row of `conversations` is a thread: its messages have one address and one channel, and a reply by email finds it by its hash. What staff see
 * as a conversation is all threads of a patient, or of an address that belongs to no patient yet. Nothing else joins them, so that a merge moves
 * threads and its undo moves them back. See docs/decisions/conversations.md.
 */

export type Thread = typeof conversations.$inferSelect

/** Whose conversation a thread belongs to. No address is like a patient's, whatever a sender claims. An index has it. */
export const partyOf = (table = 'conversations'): SQL => {
  const name = sql.identifier(table)
  return sql`coalesce(${name}.contact_id::text, 'from ' || ${name}.address)`
}

/** Whether another thread of the same conversation meets a condition on `other`. Not a join: it is looked up for each thread that is read. */
const another = (condition: SQL): SQL =>
  sql`exists (select 1 from conversations as other where ${partyOf('other')} = ${partyOf()} and ${condition} offset 0)`

const isNewer = sql`(other.last_message_at, other.id) > (conversations.last_message_at, conversations.id)`

/**
 * A conversation is open if one of its threads is. It is listed by its newest open thread, which has its newest message (see
 * `statusAfterSending`).
 */
export const isOpen = sql`(conversations.status = 'active' and not ${another(sql`other.status = 'active' and ${isNewer}`)})`
/** The newest thread of an archived conversation. */
export const isArchived = sql`(conversations.status = 'archived' and not ${another(isNewer)} and not ${another(sql`other.status = 'active'`)})`
/** The one thread by which a conversation is listed. */
export const isListed = sql`(${isOpen} or ${isArchived})`

/** A conversation's assignee: of the newest thread that has one. An assignment is written to all threads, and later threads have none. */
export const assignee = sql<string | null>`(
  select other.assigned_to from conversations as other where ${partyOf('other')} = ${partyOf()} and other.assigned_to is not null
  order by other.last_message_at desc, other.id desc limit 1)`

/**
 * Until when a conversation is snoozed; null if it is not, or if the other side has written since. As the assignee, it is that of the newest thread
 * that has one.
 */
export const snoozedUntil = (now: Date | SQL) => sql<string | null>`(
  select other.snoozed_until from conversations as other
  where ${partyOf('other')} = ${partyOf()} and other.snoozed_until > ${now instanceof Date ? sql`${now}::timestamptz` : now} and not exists (
    select 1 from conversations as thread join messages on messages.conversation_id = thread.id
    where ${partyOf('thread')} = ${partyOf('other')} and messages.direction = 'inbound' and messages.created_at > other.snoozed_at offset 0)
  order by other.snoozed_at desc limit 1)`

/** The status of a thread in which staff write: an open conversation stays open, and an archived one archived. */
export const statusAfterSending = sql<
  Thread['status']
>`case when ${another(sql`other.status = 'active'`)} then 'active' else conversations.status end`

/**
 * Who begins a thread: a person; the system, as with a reminder, which does not open an archived conversation; or a template, as in a sequence, which
 * goes to many: its thread is archived until the patient answers, unless the conversation is open already. The inbox is for what people write.
 */
export type Beginner = 'person' | 'system' | 'template'

/** The status of a new thread. */
export function statusOfNew(beginner: Beginner, { contactId, address }: { contactId: string | null; address: string }) {
  const theirs = sql`${partyOf('other')} = ${contactId ?? `from ${address}`}`
  const isOpened = sql`exists (select 1 from conversations as other where ${theirs} and other.status = 'active')`
  if (beginner === 'template') return sql<Thread['status']>`case when ${isOpened} then 'active' else 'archived' end`
  if (beginner === 'person') return 'active' as const
  return sql<
    Thread['status']
  >`case when exists (select 1 from conversations as other where ${theirs}) and not ${isOpened} then 'archived' else 'active' end`
}

/** The threads of the conversation to which a thread belongs. */
export const inSameConversation = (id: string): SQL =>
  sql`${partyOf()} = (select ${partyOf('mine')} from conversations as mine where mine.id = ${id})`

/** Their ids, as a subquery. */
export const threadIds = (id: string): SQL => sql`(select conversations.id from conversations where ${inSameConversation(id)})`

/** Locks one thread for a change. */
async function lockThread(tx: Db, id: string): Promise<Thread | null> {
  const [thread] = await tx.select().from(conversations).where(eq(conversations.id, id)).for('update')
  return thread ?? null
}

/** Locks all threads of the conversation to which a thread belongs, always in the same order; that thread comes first. Empty: not found. */
export async function lockConversation(tx: Db, id: string): Promise<Thread[]> {
  const found = await tx.select().from(conversations).where(inSameConversation(id)).orderBy(conversations.id).for('update')
  const own = found.find((thread) => thread.id === id)
  if (own) return [own, ...found.filter((thread) => thread !== own)]
  // It became a patient's while we waited for it.
  return (await tx.$count(conversations, eq(conversations.id, id))) > 0 ? lockConversation(tx, id) : []
}

/** Locks a thread for a message that arrives in it; of an unknown sender all threads, because they may become a patient's. It comes first. */
export async function lockForMessage(tx: Db, { id, contactId }: Pick<Thread, 'id' | 'contactId'>): Promise<Thread[]> {
  if (contactId === null) return lockConversation(tx, id)
  const thread = await lockThread(tx, id)
  return thread ? [thread] : []
}
