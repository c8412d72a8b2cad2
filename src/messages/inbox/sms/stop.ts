import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { endConsent } from '../../../crm/consent/service.ts'
import { patientsWithPhone, readPhone } from '../../../crm/contacts/service.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { suppressedAddresses } from '../../../platform/mail/table.ts'
import { announceConversation } from '../announce.ts'
import { sendingRefusals } from '../contract.ts'
import { conversations, messages, scheduledMessages } from '../table.ts'

/**
 * Ends every text to the number, those that wait included, and the consent to texts of each patient who has it. The number's lock is held.
 * False: it had stopped before.
 */
export async function stop(tx: Db, scope: Scope, number: string): Promise<boolean> {
  const isNew = (await suppressionOf(tx, number)) !== 'stopped'
  const ids = await patientsAt(tx, number)
  const timelineText = isNew ? `${number} stopped text messages` : undefined
  for (const id of ids) await endConsent(tx, scope, id, 'stop', { channels: ['text'], timelineText })
  const at = scope.now()
  await tx
    .insert(suppressedAddresses)
    .values({ address: number, reason: 'stopped', unsubscribedAt: at, since: at })
    .onConflictDoUpdate({
      target: suppressedAddresses.address,
      set: { reason: 'stopped', unsubscribedAt: at, ...(isNew && { since: at }) },
    })
  const ofNumber = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms')))
  const ended = await tx
    .update(messages)
    .set({ status: 'failed', problem: 'It was not sent: this number answered STOP.' })
    .where(and(inArray(messages.conversationId, ofNumber), eq(messages.direction, 'outbound'), eq(messages.status, 'queued')))
    .returning({ conversationId: messages.conversationId })
  const held = await holdScheduled(tx, ids, number)
  for (const id of new Set([...ended.map(({ conversationId }) => conversationId), ...held])) await announceConversation(tx, id)
  return isNew
}

/** Those who have the number or wrote from it, in the order in which every other change locks several patients. */
async function patientsAt(tx: Db, number: string): Promise<string[]> {
  const [owners, linked] = await Promise.all([
    patientsWithPhone(tx, number),
    tx
      .selectDistinct({ id: conversations.contactId })
      .from(conversations)
      .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms'), isNotNull(conversations.contactId))),
  ])
  return [...new Set([...owners, ...linked].map(({ id }) => id!))].toSorted()
}

/**
 * Holds texts that staff have scheduled, until someone decides about them, also after START. One that is being sent is left out: it waits for the
 * number's lock and is refused then. Returns the patients.
 */
async function holdScheduled(tx: Db, contactIds: readonly string[], number: string): Promise<string[]> {
  const waiting = await tx
    .select()
    .from(scheduledMessages)
    .where(and(inArray(scheduledMessages.contactId, [...contactIds]), eq(scheduledMessages.channel, 'sms')))
    .for('update', { skipLocked: true })
  const held = waiting.filter(({ address }) => readPhone(address)?.number === number)
  await tx
    .update(scheduledMessages)
    .set({ problem: sendingRefusals.STOPPED.message })
    .where(
      inArray(
        scheduledMessages.id,
        held.map(({ id }) => id),
      ),
    )
  return held.map(({ contactId }) => contactId)
}
