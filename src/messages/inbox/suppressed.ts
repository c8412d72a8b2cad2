import { and, eq, isNull } from 'drizzle-orm'
import type { MailEvent } from '../../integrations/postmark/inbound.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { unsubscribeAddress } from '../../crm/consent/service.ts'
import { announceConversation } from './announce.ts'
import type { MessageStatus } from './rules.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { messages } from './table.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'

/** Events that Postmark lists as bounces although the email arrived, such as automatic replies. */
const answers = ['AutoResponder', 'AddressChange', 'Subscribe', 'OpenRelayTest']

type Suppression = typeof suppressedAddresses.$inferInsert

/** The first reason is kept. An unsubscribe is separate, and is kept too. */
async function suppress(tx: Db, suppression: Suppression): Promise<void> {
  await tx
    .insert(suppressedAddresses)
    .values({ ...suppression, address: addressKey(suppression.address) })
    .onConflictDoUpdate({
      target: suppressedAddresses.address,
      set: { reason: suppression.reason, detail: suppression.detail ?? null },
      setWhere: isNull(suppressedAddresses.reason),
    })
}

/** Postmark delivers to the address again; this does not restore the consent of a person who unsubscribed. */
async function reactivate(tx: Db, address: string): Promise<void> {
  const isIt = eq(suppressedAddresses.address, addressKey(address))
  await tx.delete(suppressedAddresses).where(and(isIt, isNull(suppressedAddresses.unsubscribedAt)))
  await tx.update(suppressedAddresses).set({ reason: null, detail: null }).where(isIt)
}

/** Handles a Postmark event about a sent email: a bounce, a complaint or a subscription change. Idempotent. */
export async function takeEvent(scope: Scope, event: MailEvent): Promise<void> {
  const since = scope.now()
  await scope.db.transaction(async (tx) => {
    if ('Type' in event) {
      if (answers.includes(event.Type)) return
      if (event.Type === 'Unsubscribe') return unsubscribeAddress(tx, scope, event.Email, 'postmark')
      if (!event.Inactive) return mark(tx, event.MessageID, { problem: `It may not have arrived: ${event.Description}` })
      await suppress(tx, { address: event.Email, reason: 'bounce', detail: event.Description.slice(0, 500), since })
      await mark(tx, event.MessageID, { status: 'bounced', problem: `Bounced: ${event.Description}` })
    } else if (event.RecordType === 'SpamComplaint' && 'Email' in event) {
      await suppress(tx, { address: event.Email, reason: 'complaint', detail: null, since })
      await mark(tx, event.MessageID, { problem: 'The recipient marked it as spam.' })
    } else if ('SuppressSending' in event) {
      const reason = event.SuppressionReason === 'HardBounce' ? 'bounce' : event.SuppressionReason === 'SpamComplaint' ? 'complaint' : null
      if (event.SuppressSending && reason) await suppress(tx, { address: event.Recipient, reason, detail: null, since })
      else if (event.SuppressSending) await unsubscribeAddress(tx, scope, event.Recipient, 'postmark')
      else await reactivate(tx, event.Recipient)
    }
  })
}

/** A permanent bounce is final, whatever else is reported. */
async function mark(tx: Db, messageId: string, { status = 'sent', problem }: { status?: MessageStatus; problem: string }): Promise<void> {
  if (messageId === '') return
  const [row] = await tx
    .update(messages)
    .set({ status, problem: problem.slice(0, 500) })
    .where(and(eq(messages.direction, 'outbound'), eq(messages.messageId, messageId), eq(messages.status, 'sent')))
    .returning({ conversationId: messages.conversationId })
  if (row) await announceConversation(tx, row.conversationId)
}
