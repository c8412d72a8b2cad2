import { and, desc, eq, inArray } from 'drizzle-orm'
import { invalidReference, isRefusal } from '../../../kernel/refusal.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { languageOf, phonesOf, readPhone } from '../../../crm/contacts/service.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { textEnd } from '../commercial.ts'
import { openThreads } from '../receive/receive.ts'
import { type Outgoing, queueMessage, sentBefore } from '../send.ts'
import { conversations } from '../table.ts'
import { type PhoneProblem, phoneProblems, textSubject } from '../text-rules.ts'
import type { Beginner } from '../threads.ts'
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
    const problem = problemOfPhone(phone, scope.env) ?? (phone && (await closed(phone.number)))
    return { phone: typed, number: phone?.number ?? null, problem }
  })
  return {
    isSetUp: textingOf(scope.env) !== null,
    phones: await Promise.all(listed),
    night: await nightFor(scope, contactId),
    segmentPrice: scope.env.TEXT_SEGMENT_PRICE,
    marketingEnd: textEnd(scope.env, await languageOf(scope.db, contactId)),
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
  const problem = problemOfPhone(phone, scope.env)
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
  const known = await sentBefore(tx, text, { contactId, address: number })
  if (known) return known
  const [at] = await threadsAtNumbers(tx, scope, [{ contactId, number }], scope.actor ? 'person' : 'system')
  const { thread, isNew } = at!
  const sent = await queueMessage(tx, scope, thread, text)
  if (isRefusal(sent) && isNew) await tx.delete(conversations).where(eq(conversations.id, thread.id))
  return sent
}

/**
 * The threads with patients at numbers that the caller has locked, in the order of `wanted`; one that does not exist is opened.
 * @param wanted numbers in E.164
 */
export async function threadsAtNumbers(tx: Db, scope: Scope, wanted: readonly { contactId: string; number: string }[], by: Beginner) {
  const isOneOfThem = and(
    inArray(
      conversations.contactId,
      wanted.map(({ contactId }) => contactId),
    ),
    inArray(
      conversations.address,
      wanted.map(({ number }) => number),
    ),
    eq(conversations.channel, 'sms'),
  )
  const found = await tx
    .select()
    .from(conversations)
    .where(isOneOfThem)
    .orderBy(desc(conversations.lastMessageAt), conversations.id)
    .for('update')
  const earlier = wanted.map(({ contactId, number }) => found.find((one) => one.contactId === contactId && one.address === number))
  const opened = await openThreads(
    tx,
    scope,
    wanted
      .filter((_, place) => !earlier[place])
      .map(({ contactId, number }) => ({
        contactId,
        subject: textSubject,
        address: number,
        name: null,
        channel: 'sms' as const,
        by,
      })),
  )
  return earlier.map((thread) => (thread ? { thread, isNew: false } : { thread: opened.shift()!, isNew: true }))
}
