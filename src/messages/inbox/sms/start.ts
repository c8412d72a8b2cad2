import { and, desc, eq } from 'drizzle-orm'
import { invalidReference, isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { phonesOf, readPhone } from '../../../crm/contacts/service.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { openThread } from '../receive/receive.ts'
import { type Outgoing, queueMessage } from '../send.ts'
import { conversations, messages } from '../table.ts'
import { type PhoneProblem, phoneProblems, textSubject } from '../text-rules.ts'
import { problemOfPhone } from '../ways.ts'
import { nightFor } from './earliest.ts'
import { lockNumber } from './send.ts'
import { textingOf } from './texting.ts'

/** A patient's phones, with why one cannot be texted. Null: the patient does not exist. */
export async function listPhones(scope: Scope, contactId: string) {
  const phones = await phonesOf(scope.db, contactId)
  if (!phones) return null
  await scope.recordView({ kind: 'conversation', contactIds: [contactId] })
  const closed = async (number: string): Promise<PhoneProblem | null> => {
    const suppression = await suppressionOf(scope.db, number)
    return suppression === 'landline' ? 'landline' : suppression && 'stopped'
  }
  const listed = phones.map(async (typed) => {
    const phone = readPhone(typed)
    const problem = problemOfPhone(phone) ?? (phone && (await closed(phone.number)))
    return { phone: typed, number: phone?.number ?? null, problem }
  })
  return {
    isSetUp: textingOf(scope.env) !== null,
    phones: await Promise.all(listed),
    nightAt: await nightFor(scope, contactId),
    segmentPrice: scope.env.TEXT_SEGMENT_PRICE,
  }
}

type Text = Outgoing & { contactId: string; phone: string }

/** Texts one of a patient's numbers, in the thread with them at this number. Null: the patient does not exist. */
export const startText = (scope: Scope, text: Text) => scope.db.transaction((tx) => textPhone(tx, scope, text))

/** The same in the caller's transaction. */
export async function textPhone(tx: Db, scope: Scope, { contactId, phone: typed, ...text }: Text) {
  const phones = await phonesOf(tx, contactId)
  if (!phones) return null
  const phone = readPhone(typed)
  const problem = problemOfPhone(phone)
  if (!phone || problem) return invalidReference({ phone: phoneProblems[problem ?? 'incomplete'] })
  if (!phones.some((one) => readPhone(one)?.number === phone.number))
    return invalidReference({ phone: 'This number isn’t in the patient’s record' })
  const sent = await textPatient(tx, scope, { contactId, number: phone.number, ...text })
  if (!isRefusal(sent)) return { id: sent.conversationId, messageId: sent.id }
  return sent.refusal === 'TOO_LARGE' ? invalidReference(sent.data.fields) : sent
}

/**
 * Texts a number known to be the patient's, in the caller's transaction. A refusal leaves nothing behind.
 * @param text.number E.164
 */
export async function textPatient(tx: Db, scope: Scope, { contactId, number, ...text }: Outgoing & { contactId: string; number: string }) {
  await lockNumber(tx, number)
  const [known] = await tx.select().from(messages).where(eq(messages.idempotencyKey, text.idempotencyKey))
  if (known) return known.body === text.text ? known : refuse('KEY_REUSED')
  const isTheirs = and(eq(conversations.address, number), eq(conversations.channel, 'sms'), eq(conversations.contactId, contactId))
  const [earlier] = await tx.select().from(conversations).where(isTheirs).orderBy(desc(conversations.lastMessageAt)).limit(1).for('update')
  const opened = { contactId, subject: textSubject, address: number, name: null, channel: 'sms' as const, isAutomatic: !scope.actor }
  const conversation = earlier ?? (await openThread(tx, scope, opened))
  const sent = await queueMessage(tx, scope, conversation, text)
  if (isRefusal(sent) && !earlier) await tx.delete(conversations).where(eq(conversations.id, conversation.id))
  return sent
}
