import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { endConsent } from '../../../crm/consent/service.ts'
import { patientsWithPhone } from '../../../crm/contacts/service.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { suppressedAddresses } from '../../../platform/mail/table.ts'
import { announceConversation } from '../announce.ts'
import { conversations, messages } from '../table.ts'

/**
 * Ends every text to the number, those that wait included, and the consent to texts of each patient who has it. The number's lock is held.
 * False: it had stopped before.
 */
export async function stop(tx: Db, scope: Scope, number: string): Promise<boolean> {
  const isNew = (await suppressionOf(tx, number)) !== 'stopped'
  await endConsents(tx, scope, number, isNew ? `${number} stopped text messages` : undefined)
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
  for (const id of new Set(ended.map(({ conversationId }) => conversationId))) await announceConversation(tx, id)
  return isNew
}

async function endConsents(tx: Db, scope: Scope, number: string, timelineText: string | undefined): Promise<void> {
  const [owners, linked] = await Promise.all([
    patientsWithPhone(tx, number),
    tx
      .selectDistinct({ id: conversations.contactId })
      .from(conversations)
      .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms'), isNotNull(conversations.contactId))),
  ])
  // In the order in which every other change locks several patients.
  const ids = [...new Set([...owners, ...linked].map(({ id }) => id!))].toSorted()
  for (const id of ids) await endConsent(tx, scope, id, 'stop', { channels: ['text'], timelineText })
}
