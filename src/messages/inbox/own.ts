import { and, count, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { asPatient } from '../../kernel/as-patient.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { announceConversation } from './announce.ts'
import { addToTimeline, openThread } from './receive/receive.ts'
import { ownLimits, portalSubject } from './rules.ts'
import { conversations, messages, ownMessages } from './table.ts'

/*
 * The messages between a patient whom a code has proved and the practice, in the portal. Staff see them as a conversation of the inbox. After
 * a merge a patient may have two such conversations: they read both as one, and write into the newer one.
 */

type OwnScope = Scope & { patient: VerifiedContactId }
type Page = { cursor?: InstantPlace | undefined; limit: number }

/** A page of the messages, the newest first page; within a page, oldest first. What it shows for the first time is marked as read. */
export async function listOwnMessages(scope: OwnScope, { cursor, limit }: Page) {
  const page = await scope.db.transaction(async (tx) => {
    const { id, direction, body, createdAt, readAt, conversationId } = ownMessages
    const rows = await asPatient(tx, scope.env, scope.patient, (own) =>
      own
        .select({ id, direction, body, createdAt, readAt, conversationId, exact: exactInstant(createdAt) })
        .from(ownMessages)
        .where(isOlderThan(cursor, createdAt, id))
        .orderBy(desc(createdAt), desc(id))
        .limit(limit + 1),
    )
    const found = cursorPage(rows, limit, placeOf)
    const unread = found.data.filter((row) => row.direction === 'outbound' && row.readAt === null)
    if (unread.length > 0) {
      const ids = unread.map((row) => row.id)
      await tx
        .update(messages)
        .set({ readAt: scope.now() })
        .where(and(inArray(messages.id, ids), isNull(messages.readAt)))
      for (const conversation of new Set(unread.map((row) => row.conversationId))) await announceConversation(tx, conversation)
    }
    return { ...found, unread: new Set(unread.map((row) => row.id)) }
  })
  if (page.data.length > 0) await scope.recordView({ kind: 'conversation', contactIds: [scope.patient] })
  return {
    data: page.data.toReversed().map(({ id, direction, body, createdAt }) => ({
      id,
      isOwn: direction === 'inbound',
      text: body,
      createdAt,
      isNew: page.unread.has(id),
    })),
    nextCursor: page.nextCursor,
  }
}

/** The number of answers that the patient has not read, and the last message. */
export async function summarizeOwnMessages({ db, env, patient }: OwnScope) {
  return db.transaction((tx) =>
    asPatient(tx, env, patient, async (own) => {
      const { id, direction, createdAt, readAt } = ownMessages
      const [unread] = await own
        .select({ count: count() })
        .from(ownMessages)
        .where(and(eq(direction, 'outbound'), isNull(readAt)))
      const [last] = await own.select({ direction, createdAt }).from(ownMessages).orderBy(desc(createdAt), desc(id)).limit(1)
      return { unread: unread!.count, last: last ? { isOwn: last.direction === 'inbound', createdAt: last.createdAt } : null }
    }),
  )
}

/**
 * Adds a message of the patient, once per key. KEY_REUSED: the key belongs to another message. TOO_MANY_REQUESTS: as many messages as a
 * patient may write in an hour.
 */
export async function writeOwnMessage(scope: OwnScope, { key, text }: { key: string; text: string }) {
  const { patient } = scope
  return scope.db.transaction(async (tx) => {
    // One at a time, so that the first two do not begin two conversations.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`portal messages of ${patient}`}, 0))`)
    const own = await ownConversations(tx, patient)
    const ids = own.map(({ id }) => id)
    const [known] = await tx.select().from(messages).where(eq(messages.idempotencyKey, key))
    if (known) return ids.includes(known.conversationId) && known.body === text ? { id: known.id } : refuse('KEY_REUSED')
    const since = new Date(scope.now().getTime() - ownLimits.interval)
    const isRecent = and(inArray(messages.conversationId, ids), eq(messages.direction, 'inbound'), gt(messages.createdAt, since))
    if ((await tx.$count(messages, isRecent)) >= ownLimits.perInterval) return refuse('TOO_MANY_REQUESTS')
    const conversation = own[0] ?? (await beginConversation(tx, scope))
    const id = uuidv7()
    const { subject, address, id: conversationId } = conversation
    const message = { id, conversationId, direction: 'inbound' as const, subject, body: text }
    const at = scope.now()
    await tx.insert(messages).values({
      ...message,
      fromEmail: address,
      toEmail: scope.env.MAIL_FROM,
      status: 'received',
      idempotencyKey: key,
      createdAt: at,
    })
    await tx.update(conversations).set({ status: 'active', lastMessageAt: at }).where(eq(conversations.id, conversationId))
    await addToTimeline(tx, scope, patient, message)
    await recordChange(tx, scope, { action: 'created', kind: 'message', contactIds: [patient], after: { id, conversationId } })
    await announceConversation(tx, conversationId)
    return { id }
  })
}

/** The newest first. */
const ownConversations = (tx: Db, patient: VerifiedContactId) =>
  tx
    .select()
    .from(conversations)
    .where(and(eq(conversations.contactId, patient), eq(conversations.channel, 'portal')))
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))

async function beginConversation(tx: Db, scope: OwnScope) {
  const [address = ''] = (await emailsOf(tx, scope.patient)) ?? []
  return openThread(tx, scope, { contactId: scope.patient, subject: portalSubject, address, name: null, channel: 'portal' })
}
