import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { findByEmail, insertContact, lockByEmail, lockEmails, patientsWithPhone, problemOfAssignee } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { suppressionOf } from '../../platform/mail/service.ts'
import { initialStage } from '../../crm/pipeline/service.ts'
import { announceConversation } from './announce.ts'
import { type Composed, writeMail } from './compose.ts'
import { conversationTold } from './conversations.ts'
import { giveConversation } from './receive/owner.ts'
import { openThread } from './receive/receive.ts'
import type { ConversationStatus } from './rules.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { type Outgoing, queueMessage, refusalOf, sendMessage } from './send.ts'
import { lockNumber, sendText } from './sms/send.ts'
import { conversationNotes, conversations, messages } from './table.ts'
import { startThread } from './start.ts'
import { lockConversation, type Thread } from './threads.ts'

export { maySendCommercial, textEnd, withTextEnd } from './commercial.ts'
export { chooseRecipient, textable } from './recipient.ts'
export { listPhones, startText } from './sms/start.ts'
export { preferredNumber, textIfPreferred } from './by-text.ts'
export { dailyLimits, earliestSending } from './sms/earliest.ts'
export { lockNumber } from './sms/send.ts'
export { textPatient } from './sms/start.ts'
export { nameOfSender, textingOf } from './sms/texting.ts'
export { cancelScheduled, changeScheduled, scheduleMessage, sendScheduledNow } from './scheduled.ts'
export { findConversation, listConversations } from './conversations.ts'
export { deleteQuickReply, listQuickReplies, saveQuickReply } from './quick-replies.ts'
export { announceReplying } from './replying.ts'
export { listOwnMessages, summarizeOwnMessages, writeOwnMessage } from './own.ts'
export {
  countUnread,
  markAllRead,
  markContactRead,
  markConversationRead,
  markMessage,
  markSenderRead,
  unreadByContact,
  unreadOfContact,
} from './unread.ts'

/** Begins a thread with one of a patient's addresses. Null: the patient does not exist. */
export async function startConversation(scope: Scope, mail: Composed<Parameters<typeof startThread>[2]>) {
  const written = await writeMail(scope, mail)
  return isRefusal(written) ? written : scope.db.transaction((tx) => startThread(tx, scope, written))
}

/**
 * Emails a patient in the caller's transaction, at an address known to be theirs. `after`: a message whose thread it continues, if that is still
 * with the same patient and address. A refusal leaves nothing behind.
 */
export async function writeToPatient(
  tx: Db,
  scope: Scope,
  { contactId, address, after = null, ...mail }: Outgoing & { contactId: string; address: string; subject: string; after?: string | null },
) {
  const party = { contactId, address: addressKey(address) }
  const earlier = after === null ? null : await threadOf(tx, after, party)
  const by = scope.actor ? 'person' : 'system'
  const conversation = earlier ?? (await openThread(tx, scope, { ...party, subject: mail.subject, name: null, by }))
  const sent = await queueMessage(tx, scope, conversation, mail)
  if (isRefusal(sent) && !earlier) await tx.delete(conversations).where(eq(conversations.id, conversation.id))
  return sent
}

async function threadOf(tx: Db, messageId: string, { contactId, address }: { contactId: string; address: string }) {
  const [found] = await tx
    .select({ conversation: conversations })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.id, messageId), eq(conversations.contactId, contactId), eq(conversations.address, address)))
    .for('update', { of: conversations })
  return found?.conversation ?? null
}

/** Locks a conversation for a change: all its threads, the one that was named first. Null: not found. */
async function inConversation<Result>(
  scope: Scope,
  id: string,
  work: (tx: Db, threads: [Thread, ...Thread[]]) => Promise<Result>,
): Promise<Result | null> {
  return scope.db.transaction(async (tx) => {
    const [thread, ...others] = await lockConversation(tx, id)
    return thread ? work(tx, [thread, ...others]) : null
  })
}

/**
 * Sends a reply to the address of a thread. The whole conversation is locked, so that of two replies at the same moment the second finds the
 * first. Null: not found.
 */
export async function reply(scope: Scope, { id, ...mail }: Composed<Outgoing> & { id: string }) {
  const [thread] = await scope.db.select().from(conversations).where(eq(conversations.id, id))
  if (!thread) return null
  const withSignature = mail.withSignature && thread.channel === 'email'
  const written = await writeMail(scope, { ...mail, withSignature, contactId: thread.contactId })
  if (isRefusal(written)) return written
  return inConversation(scope, id, async (tx, [thread]) => {
    const sent = await queueMessage(tx, scope, thread, written)
    return isRefusal(sent) ? sent : { messageId: sent.id }
  })
}

/** Resends a failed message. NOT_FAILED: it was sent or is being sent. SUPPRESSED: email to the address is stopped. STOPPED: texts to the number are. Null: not found. */
export async function resend(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages.id, id)).for('update')
    if (message?.direction !== 'outbound') return null
    const [conversation] = await tx.select().from(conversations).where(eq(conversations.id, message.conversationId))
    const isText = conversation?.channel === 'sms'
    // A text that Twilio took is not sent a second time: a late report would be about one of them.
    if (message.status !== 'failed' || (isText && message.messageId !== null)) return refuse('NOT_FAILED')
    const suppression = await suppressionOf(tx, message.toEmail)
    if (suppression) return refuse(refusalOf(suppression))
    await tx.update(messages).set({ status: 'queued', problem: null }).where(eq(messages.id, id))
    await enqueue(tx, isText ? sendText : sendMessage, { id }, `message ${id}`)
    await announceConversation(tx, message.conversationId)
    return { status: 'queued' as const }
  })
}

export const addNote = (scope: Scope, id: string, text: string) =>
  inConversation(scope, id, async (tx) => {
    const [note] = await tx
      .insert(conversationNotes)
      .values({ conversationId: id, text, createdBy: staff(scope).id, createdAt: scope.now() })
      .returning()
    await announceConversation(tx, id)
    return note!
  })

/** Assigns, archives, snoozes or reopens a conversation, with all its threads. */
export const changeConversation = (
  scope: Scope,
  {
    id,
    ...change
  }: {
    id: string
    assignedTo?: string | null | undefined
    status?: ConversationStatus | undefined
    snoozedUntil?: Date | null | undefined
  },
) =>
  inConversation(scope, id, async (tx, threads) => {
    const before = await conversationTold(tx, scope, id)
    const now = scope.now()
    if (change.snoozedUntil && change.snoozedUntil <= now) return invalidReference({ snoozedUntil: 'Choose a time to come' })
    const isGiven = change.assignedTo && change.assignedTo !== before.assignedTo
    // The assignee must be able to open it.
    const problem = isGiven ? await problemOfAssignee(tx, change.assignedTo!, permissions['inbox.conversation']) : null
    if (problem) return invalidReference({ assignedTo: problem })
    const after = {
      assignedTo: change.assignedTo === undefined ? before.assignedTo : change.assignedTo,
      status: change.status ?? before.status,
      // An archived conversation is not to come back by itself.
      snoozedUntil: change.status === 'archived' ? null : change.snoozedUntil === undefined ? before.snoozedUntil : change.snoozedUntil,
    }
    const ids = threads.map((thread) => thread.id)
    const isSnoozed = change.snoozedUntil instanceof Date && after.snoozedUntil !== null
    const snoozedAt = after.snoozedUntil === null ? null : now
    await tx
      .update(conversations)
      .set({ ...after, snoozedAt })
      .where(inArray(conversations.id, ids))
    if (isSnoozed) await enqueue(tx, endSnooze, { id }, `snooze ${before.contact?.id ?? id}`, change.snoozedUntil!)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'conversation',
      contactIds: before.contact ? [before.contact.id] : [],
      before: { id, assignedTo: before.assignedTo, status: before.status, snoozedUntil: before.snoozedUntil },
      after,
    })
    await announceConversation(tx, id)
    return conversationTold(tx, scope, id)
  })

/** Shows a conversation again to everyone who has the open list on the screen, once its snooze has ended. */
export const endSnooze = defineJob({
  name: 'inbox.end-snooze',
  payload: z.object({ id: z.uuid() }),
  run: ({ db }, { id }) => announceConversation(db, id),
})

type Sender = { contactId?: string | undefined; firstName?: string | null | undefined; lastName?: string | null | undefined }

/**
 * Links a conversation permanently to an existing patient, or to a new one created from the sender's address, with all past messages.
 * LINKED_ALREADY: it belongs to another patient.
 */
export const linkConversation = (scope: Scope, { id, ...sender }: Sender & { id: string }) =>
  scope.db.transaction(async (tx) => {
    // Before its threads, in the order of a text that arrives.
    const [found] = await tx.select().from(conversations).where(eq(conversations.id, id))
    if (found?.channel === 'sms') await lockNumber(tx, found.address)
    const threads = await lockConversation(tx, id)
    const [thread] = threads
    if (!thread) return null
    if (thread.contactId !== null) {
      const wanted = sender.contactId ?? (await ownerOf(tx, thread))
      return wanted === thread.contactId ? conversationTold(tx, scope, id) : refuse('LINKED_ALREADY')
    }
    const contactId = sender.contactId ?? (await findOrMake(tx, scope, thread, sender))
    if (contactId === null) return invalidReference({ contactId: 'Several patients have this number. Choose one of them' })
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('update')
    if (!contact) return invalidReference({ contactId: 'This patient does not exist' })
    await giveConversation(tx, scope, threads, contactId)
    await announceConversation(tx, id)
    return conversationTold(tx, scope, id)
  })

async function ownerOf(tx: Db, { address, channel }: Thread): Promise<string | undefined> {
  if (channel !== 'sms') return (await findByEmail(tx, address))?.id
  const owners = await patientsWithPhone(tx, address)
  return owners.length === 1 ? owners[0]!.id : undefined
}

/** Null: several patients have the phone number. */
async function findOrMake(tx: Db, scope: Scope, thread: Thread, { firstName, lastName }: Sender): Promise<string | null> {
  const { address, channel } = thread
  const isText = channel === 'sms'
  if (isText) {
    const owners = await patientsWithPhone(tx, address)
    if (owners.length > 0) return owners.length === 1 ? owners[0]!.id : null
  } else {
    await lockEmails(tx, [address])
    const existing = await lockByEmail(tx, address)
    if (existing) return existing.id
  }
  const values = {
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    ...(isText ? { phone: address } : { email: address }),
    funnelStageId: await initialStage(tx),
    importSource: 'Inbox',
  }
  return (await insertContact(tx, scope, values, 'Patient added from the inbox')).id
}
