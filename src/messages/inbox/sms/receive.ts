import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { ReceivedText, TextReport } from '../../../integrations/twilio/hooks.ts'
import { enqueue } from '../../../kernel/jobs.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { patientsWithPhone } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addInteraction } from '../../../crm/interactions/service.ts'
import { suppressedAddresses } from '../../../platform/mail/table.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { toLanguage } from '../../../shared/translations.ts'
import { announceConversation } from '../announce.ts'
import { addToTimeline, openThread } from '../receive/receive.ts'
import { giveConversation } from '../receive/owner.ts'
import { queueMessage } from '../send.ts'
import { conversations, messages } from '../table.ts'
import { lockForMessage, type Thread } from '../threads.ts'
import { inboxTexts } from '../texts.ts'
import { fetchMedia } from './media.ts'
import { laterStatus, plainText, reasonOf, statusOf, textSubject, type Word, wordOf } from '../text-rules.ts'
import { lockNumber } from './send.ts'
import { stop } from './stop.ts'

/** Answers to STOP, START and HELP to one number within an interval in milliseconds: no number may make the practice pay for more. */
const answerLimits = { perInterval: 5, interval: 60 * 60_000 }

/** Stores a text that a phone sent, once per MessageSid, and acts upon STOP, START and HELP. Its media follow by a job. */
export async function receiveText(scope: Scope, text: ReceivedText): Promise<void> {
  await scope.db.transaction(async (tx) => {
    await lockNumber(tx, text.from)
    const isKnown = and(eq(messages.direction, 'inbound'), eq(messages.messageId, text.sid))
    if ((await tx.$count(messages, isKnown)) > 0) return
    const conversation = await threadOf(tx, scope, text.from)
    const id = uuidv7()
    const word = wordOf(text.body, { isStopped: (await suppressionOf(tx, text.from)) === 'stopped' })
    const message = { id, conversationId: conversation.id, direction: 'inbound' as const, subject: textSubject, body: text.body }
    const at = scope.now()
    await tx.insert(messages).values({
      ...message,
      messageId: text.sid,
      fromEmail: text.from,
      toEmail: text.to,
      status: 'received',
      metadata: word && { isWord: true },
      createdAt: at,
    })
    await tx.update(conversations).set({ status: 'active', lastMessageAt: at }).where(eq(conversations.id, conversation.id))
    if (conversation.contactId) await addToTimeline(tx, scope, conversation.contactId, { ...message, channel: 'sms' })
    if (text.media.length > 0) await enqueue(tx, fetchMedia, { id, media: text.media }, `media of ${id}`)
    await reopenLandline(tx, text.from)
    if (word) await actUpon(tx, scope, conversation, { word, isAnswered: text.isAnsweredByTwilio })
    await announceConversation(tx, conversation.id)
  })
}

/** The latest thread with the number. A new one is the patient's if exactly one has the number: families share one. */
export async function threadOf(tx: Db, scope: Scope, number: string): Promise<Thread> {
  const [known] = await tx
    .select()
    .from(conversations)
    .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms')))
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(1)
  const threads = known ? await lockForMessage(tx, known) : []
  const [thread] = threads
  if (thread?.contactId) return thread
  const owners = await patientsWithPhone(tx, number)
  const contactId = owners.length === 1 ? owners[0]!.id : null
  if (!thread) return openThread(tx, scope, { contactId, subject: textSubject, address: number, name: null, channel: 'sms' })
  if (contactId === null) return thread
  await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('update')
  await giveConversation(tx, scope, threads, contactId)
  return { ...thread, contactId }
}

type Received = { word: Word; isAnswered: boolean }

/** Stops or opens texts to the number at once, and answers in the patient's language. */
async function actUpon(tx: Db, scope: Scope, conversation: Thread, { word, isAnswered }: Received): Promise<void> {
  const number = conversation.address
  const hasChanged = word.meaning === 'stop' ? await stop(tx, scope, number) : word.meaning === 'start' ? await start(tx, number) : true
  if (!hasChanged) return
  if (word.meaning === 'start') await noteStart(tx, scope, conversation)
  if (isAnswered || (await hasManyAnswers(tx, scope, conversation))) return
  await queueMessage(tx, scope, conversation, {
    text: plainText(await answerTo(tx, scope, conversation, word)),
    html: null,
    isCommercial: false,
    documentIds: [],
    isAnswerToWord: true,
    idempotencyKey: randomUUID(),
  })
}

/** Opens a number again, to marketing only if consent to it was recorded since. False: the number had not stopped. */
async function start(tx: Db, number: string): Promise<boolean> {
  const isStopped = and(eq(suppressedAddresses.address, number), eq(suppressedAddresses.reason, 'stopped'))
  const rows = await tx.update(suppressedAddresses).set({ reason: null }).where(isStopped).returning()
  await tx
    .delete(suppressedAddresses)
    .where(and(eq(suppressedAddresses.address, number), isNull(suppressedAddresses.reason), isNull(suppressedAddresses.unsubscribedAt)))
  return rows.length > 0
}

/** On the timeline of each patient with the number. Consent to marketing by text stays withdrawn: only newly recorded express consent restores it. */
async function noteStart(tx: Db, scope: Scope, { address, contactId }: Thread): Promise<void> {
  const owners = await patientsWithPhone(tx, address)
  const description = `${address} allowed text messages again`
  for (const id of new Set([...owners.map((owner) => owner.id), ...(contactId ? [contactId] : [])]))
    await addInteraction(tx, scope, { contactId: id, type: 'contact_updated', description })
}

async function hasManyAnswers(tx: Db, scope: Scope, { id }: Thread): Promise<boolean> {
  const since = new Date(scope.now().getTime() - answerLimits.interval)
  const isAnswer = sql`${messages.metadata} @> '{"isAnswerToWord": true}'`
  return (
    (await tx.$count(messages, and(eq(messages.conversationId, id), isAnswer, gt(messages.createdAt, since)))) >= answerLimits.perInterval
  )
}

async function answerTo(tx: Db, { env }: Scope, { contactId }: Thread, { meaning, language }: Word): Promise<string> {
  const [contact] = contactId
    ? await tx.select({ language: contacts.preferredLanguage }).from(contacts).where(eq(contacts.id, contactId))
    : []
  const t = inboxTexts[toLanguage(contact?.language) ?? language ?? 'en']
  const [practice, phone] = [env.PRACTICE_NAME, env.PRACTICE_PHONE]
  if (meaning === 'stop') return t('textsStopped', { practice })
  if (meaning === 'start') return t('textsStarted', { practice })
  return phone ? t('textsHelp', { practice, phone }) : t('textsHelpNoPhone', { practice })
}

/** Takes a report of Twilio about a text of ours, in any order and any number of times. Also settles one whose sending was uncertain. */
export async function takeReport(scope: Scope, { messageId, sid, status, errorCode }: TextReport): Promise<void> {
  const reported = statusOf(status)
  if (reported === null) return
  await scope.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ message: messages, channel: conversations.channel })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(eq(messages.id, messageId), eq(messages.direction, 'outbound')))
      .for('update', { of: messages })
    if (row?.channel !== 'sms') return
    const { message } = row
    // A report about another text than the one that left.
    if (message.messageId !== null && message.messageId !== sid) return
    const next = laterStatus(message.status, reported)
    if (next === message.status && message.messageId !== null) return
    await tx
      .update(messages)
      .set({
        messageId: sid,
        status: next,
        problem: next === message.status ? message.problem : next === 'failed' ? reasonOf(errorCode) : null,
        sentAt: message.sentAt ?? scope.now(),
        metadata: { ...message.metadata, ...(errorCode !== null && next === 'failed' && { errorCode }) },
      })
      .where(eq(messages.id, messageId))
    if (next === 'failed' && errorCode === landlineCode && !(await hasTexted(tx, message.toEmail)))
      await noteLandline(tx, scope, message.toEmail)
    await announceConversation(tx, message.conversationId)
  })
}

/** Whether a text ever came from a number: its phone takes texts, whatever a carrier that cannot be reached reports. */
async function hasTexted(tx: Db, number: string): Promise<boolean> {
  const [received] = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms'), eq(messages.direction, 'inbound')))
    .limit(1)
  return received !== undefined
}

/** Twilio’s code for a number that receives no texts. */
const landlineCode = 30006

/** Remembers that a number receives no texts, until a text comes from it. A number that stopped stays so. */
const noteLandline = (tx: Db, { now }: Scope, address: string) =>
  tx
    .insert(suppressedAddresses)
    .values({ address, reason: 'landline', since: now() })
    .onConflictDoUpdate({ target: suppressedAddresses.address, set: { reason: 'landline' }, setWhere: isNull(suppressedAddresses.reason) })

/** Opens a number that was noted as a landline: a text has come from it. */
async function reopenLandline(tx: Db, address: string): Promise<void> {
  const isLandline = and(eq(suppressedAddresses.address, address), eq(suppressedAddresses.reason, 'landline'))
  await tx.delete(suppressedAddresses).where(and(isLandline, isNull(suppressedAddresses.unsubscribedAt)))
  await tx.update(suppressedAddresses).set({ reason: null }).where(isLandline)
}
