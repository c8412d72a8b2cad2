import { and, eq, gte, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { ReceivedCall } from '../../../integrations/twilio/hooks.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { isRefusal } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { readPhone } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addTask, assigneesFor } from '../../../crm/tasks/service.ts'
import { toLanguage } from '../../../shared/translations.ts'
import { beginningOf, dayAt } from '../../../shared/zoned-time.ts'
import { announceConversation } from '../announce.ts'
import { addToTimeline } from '../receive/receive.ts'
import { queueMessage } from '../send.ts'
import { conversations, messages } from '../table.ts'
import { inboxTexts } from '../texts.ts'
import { plainText, textSubject } from '../text-rules.ts'
import { problemOfPhone } from '../ways.ts'
import { threadOf } from './receive.ts'
import { lockNumber } from './send.ts'

type Conversation = typeof conversations.$inferSelect

/**
 * A missed call, once per CallSid: it is shown in the conversation with the number. The first one of a day is answered by a text, if the number may get
 * one, and gives the front desk a task to call back. A caller who withholds the number is not known.
 */
export async function receiveCall(scope: Scope, { sid, from, to, isMissed }: ReceivedCall): Promise<void> {
  if (!isMissed || from === null) return
  await scope.db.transaction(async (tx) => {
    await lockNumber(tx, from)
    const isKnown = and(eq(messages.direction, 'inbound'), eq(messages.messageId, sid))
    if ((await tx.$count(messages, isKnown)) > 0) return
    const conversation = await threadOf(tx, scope, from)
    const isFirst = !(await hasCalledToday(tx, scope, conversation))
    const message = {
      id: uuidv7(),
      conversationId: conversation.id,
      direction: 'inbound' as const,
      subject: textSubject,
      body: 'Missed call',
    }
    const at = scope.now()
    await tx.insert(messages).values({
      ...message,
      messageId: sid,
      fromEmail: from,
      toEmail: to,
      status: 'received',
      metadata: { isMissedCall: true },
      createdAt: at,
    })
    await tx.update(conversations).set({ status: 'active', lastMessageAt: at }).where(eq(conversations.id, conversation.id))
    if (conversation.contactId) await addToTimeline(tx, scope, conversation.contactId, { ...message, channel: 'sms' })
    if (isFirst) await answer(tx, scope, conversation)
    await announceConversation(tx, conversation.id)
  })
}

async function hasCalledToday(tx: Db, { env, now }: Scope, { id }: Conversation): Promise<boolean> {
  const day = beginningOf(dayAt(now(), env.PRACTICE_TIME_ZONE), env.PRACTICE_TIME_ZONE)
  const isMissedCall = sql`${messages.metadata} @> '{"isMissedCall": true}'`
  return (await tx.$count(messages, and(eq(messages.conversationId, id), isMissedCall, gte(messages.createdAt, day)))) > 0
}

async function answer(tx: Db, scope: Scope, conversation: Conversation): Promise<void> {
  const { address: number, contactId } = conversation
  const [contact] = contactId
    ? await tx
        .select({ language: contacts.preferredLanguage, owner: contacts.assignedSalesRepId })
        .from(contacts)
        .where(eq(contacts.id, contactId))
    : []
  const t = inboxTexts[toLanguage(contact?.language) ?? 'en']
  const sent =
    problemOfPhone(readPhone(number), scope.env) === null
      ? await queueMessage(tx, scope, conversation, {
          text: plainText(t('missedCall', { practice: scope.env.PRACTICE_NAME })),
          html: null,
          isCommercial: false,
          documentIds: [],
          idempotencyKey: randomUUID(),
        })
      : null
  const isTexted = sent !== null && !isRefusal(sent)
  await addTask(tx, scope, {
    title: `Call back ${number}`,
    description: isTexted
      ? 'Missed call. A text message has asked how we can help. Sales see the answer in the inbox.'
      : 'Missed call. No text message was sent.',
    type: 'Call',
    dueDate: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE),
    contactId,
    people: await assigneesFor(tx, [contact?.owner ?? null]),
  })
}
