import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { actorOf } from '../../platform/auth/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { announceConversation } from './announce.ts'
import { signed } from '../signatures/service.ts'
import { type Composed, readWords } from './compose.ts'
import { sendingRefusals } from './contract.ts'
import { queueMessage } from './send.ts'
import { textPhone } from './sms/start.ts'
import { startThread } from './start.ts'
import { scheduledMessages } from './table.ts'
import { lockConversation } from './threads.ts'
import { maxTextLength, tooLongText } from './text-rules.ts'

/*
 * Messages that are sent at a time. They are no messages yet: nothing is checked or promised before that moment. Then the message is written and
 * its schedule deleted in one transaction, so that it is sent once, and every check of a message that is sent by hand applies.
 */

type Scheduled = typeof scheduledMessages.$inferSelect
type Content = Pick<
  Scheduled,
  | 'contactId'
  | 'channel'
  | 'address'
  | 'threadId'
  | 'subject'
  | 'text'
  | 'html'
  | 'withSignature'
  | 'templateId'
  | 'isCommercial'
  | 'sendAt'
>

/** In milliseconds. */
const furthest = 366 * 24 * 3600_000

function problemOf({ now }: Scope, { channel, text, html, sendAt }: Pick<Scheduled, 'channel' | 'text' | 'html' | 'sendAt'>) {
  if (channel === 'sms' && html !== null) return invalidReference({ html: 'A text message has no formatting' })
  if (sendAt <= now() || sendAt.getTime() > now().getTime() + furthest) return invalidReference({ sendAt: 'Choose a time within a year' })
  return channel === 'sms' && text.length > maxTextLength ? invalidReference({ text: tooLongText }) : null
}

/** Schedules a message to a patient, once per key. KEY_REUSED: the key belongs to another. Null: the patient does not exist. */
export async function scheduleMessage(scope: Scope, { idempotencyKey: id, ...given }: Composed<Content> & { idempotencyKey: string }) {
  const words = await readWords(given)
  if (isRefusal(words)) return words
  const content = { ...given, ...words }
  const problem = problemOf(scope, content)
  if (problem) return problem
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, content.contactId)).for('key share')
    if (!contact) return null
    const created = { ...content, id, createdBy: staff(scope).id, createdAt: scope.now() }
    const [row] = await tx.insert(scheduledMessages).values(created).onConflictDoNothing().returning()
    if (!row) {
      const [known] = await tx.select().from(scheduledMessages).where(eq(scheduledMessages.id, id))
      return known?.contactId === content.contactId && known.text === content.text ? { id } : refuse('KEY_REUSED')
    }
    await later(tx, row)
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'message',
      contactIds: [row.contactId],
      after: { id, scheduledFor: row.sendAt },
    })
    await announceOf(tx, row)
    return { id }
  })
}

const later = (tx: Db, { id, sendAt }: Pick<Scheduled, 'id' | 'sendAt'>) => enqueue(tx, sendScheduled, { id }, `scheduled ${id}`, sendAt)

/** By the patient: there may be no thread yet. */
const announceOf = (tx: Db, { contactId }: Scheduled) => announceConversation(tx, contactId)

/** Locks a scheduled message for a change. Null: it was sent or cancelled, or never existed. */
async function inScheduled<Result>(scope: Scope, id: string, work: (tx: Db, row: Scheduled) => Promise<Result>): Promise<Result | null> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(scheduledMessages).where(eq(scheduledMessages.id, id)).for('update')
    return row ? work(tx, row) : null
  })
}

/** Changes the text or the time. What could not be sent is tried again at its new time. */
export async function changeScheduled(
  scope: Scope,
  { id, sendAt, ...given }: { id: string; text: string; html: string | null; sendAt: Date },
) {
  const words = await readWords(given)
  if (isRefusal(words)) return words
  return inScheduled(scope, id, async (tx, row) => {
    const problem = problemOf(scope, { ...row, ...words, sendAt })
    if (problem) return problem
    const [changed] = await tx
      .update(scheduledMessages)
      .set({ ...words, sendAt, problem: null })
      .where(eq(scheduledMessages.id, id))
      .returning()
    await later(tx, changed!)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'message',
      contactIds: [row.contactId],
      before: { id, scheduledFor: row.sendAt },
      after: { scheduledFor: sendAt },
    })
    await announceOf(tx, row)
    return { id }
  })
}

export const cancelScheduled = (scope: Scope, id: string) =>
  inScheduled(scope, id, async (tx, row) => {
    await tx.delete(scheduledMessages).where(eq(scheduledMessages.id, id))
    await recordChange(tx, scope, {
      action: 'deleted',
      kind: 'message',
      contactIds: [row.contactId],
      before: { id, scheduledFor: row.sendAt },
    })
    await announceOf(tx, row)
    return { id }
  })

/** Sends it at once, in the name of the person who asks for it. */
export const sendScheduledNow = (scope: Scope, id: string) =>
  inScheduled(scope, id, async (tx, row) => {
    const sent = await write(tx, scope, row)
    return sent === null ? refuse('INVALID_REFERENCE', { fields: { address: 'The patient no longer has this address' } }) : sent
  })

/** Writes the message that was scheduled, and deletes its schedule. A refusal leaves both as they are. */
async function write(tx: Db, scope: Scope, row: Scheduled) {
  const { id, contactId, channel, address, threadId, subject, text, html, withSignature, templateId, isCommercial } = row
  const words =
    withSignature && channel === 'email' && scope.actor ? await signed(tx, scope.actor.id, contactId, { text, html }) : { text, html }
  const content = { ...words, templateId, isCommercial, documentIds: [], idempotencyKey: id }
  const sent = await (async () => {
    if (channel === 'sms') return textPhone(tx, scope, { contactId, phone: address, ...content })
    const [thread] = threadId ? await lockConversation(tx, threadId) : []
    if (thread?.contactId !== contactId) return startThread(tx, scope, { contactId, email: address, subject: subject ?? '', ...content })
    const written = await queueMessage(tx, scope, thread, content)
    return isRefusal(written) ? written : { id: thread.id, messageId: written.id }
  })()
  // It has no attachments: only its text can be too long.
  if (sent !== null && isRefusal(sent)) return sent.refusal === 'TOO_LARGE' ? invalidReference(sent.data.fields) : sent
  if (sent === null) return null
  await tx.delete(scheduledMessages).where(eq(scheduledMessages.id, id))
  return sent
}

/** Sends a scheduled message at its time, in the name of its author, who must still be allowed to. Otherwise it stays, and says why. */
export const sendScheduled = defineJob({
  name: 'inbox.send-scheduled',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 12,
  async run(scope, { id }) {
    await inScheduled(scope, id, async (tx, row) => {
      if (row.problem !== null || row.sendAt > scope.now()) return
      const actor = await actorOf(tx, row.createdBy)
      const isAllowed = actor?.status === 'active' && mayUse(permissions['inbox.reply'], actor)
      const sent = isAllowed ? await write(tx, { ...scope, actor }, row) : refuse('NOT_ALLOWED')
      if (sent !== null && !isRefusal(sent)) return
      await tx
        .update(scheduledMessages)
        .set({ problem: problemText(sent?.refusal) })
        .where(eq(scheduledMessages.id, id))
      await announceOf(tx, row)
    })
  },
})

function problemText(refusal: string | undefined): string {
  if (refusal === 'NOT_ALLOWED') return 'Its author may no longer write to patients.'
  if (refusal !== undefined && refusal !== 'INVALID_REFERENCE' && Object.hasOwn(sendingRefusals, refusal))
    return sendingRefusals[refusal as keyof typeof sendingRefusals].message
  return 'The address or number is no longer in the patient’s record.'
}
