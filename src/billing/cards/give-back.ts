import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { centsToText } from '../../shared/money.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { findReceipt, refund } from '../pos/service.ts'
import { cardMethod } from './rules.ts'
import { cardPayments } from './table.ts'

/**
 * Gives a payment back to its card, as far as it is not used for a charge, once it is in the books: each cent that Stripe moves is in the ledger and in
 * QuickBooks too. One that is to go back already, but was used until now, goes back too. @returns false if it goes back already, or was not paid.
 */
export async function giveBack(tx: Db, scope: Scope, paymentId: string, reason: string): Promise<boolean> {
  const isPaid = and(eq(cardPayments.id, paymentId), eq(cardPayments.status, 'paid'), isNull(cardPayments.refundReason))
  const [row] = await tx
    .update(cardPayments)
    .set({ refundReason: reason, refundKey: randomUUID(), updatedAt: scope.now() })
    .where(isPaid)
    .returning()
  await queueRefund(tx, paymentId)
  if (!row || row.amountCents === 0) return false
  await publish(tx, 'contact', row.contactId)
  return true
}

/** Queues the refund of a payment that has a receipt and is to go back. */
export async function queueRefund(tx: Db, id: string): Promise<void> {
  const isReady = and(eq(cardPayments.id, id), isNotNull(cardPayments.refundReason), isNotNull(cardPayments.receiptId))
  if ((await tx.$count(cardPayments, isReady)) > 0) await enqueue(tx, refundPayment, { id }, `give back ${id}`)
}

/** Records the refund, whose receipt sends it to the card. Throws, and so is retried, while QuickBooks is not available. */
export const refundPayment = defineJob({
  name: 'cards.give-back',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    const [row] = await scope.db.select().from(cardPayments).where(eq(cardPayments.id, id))
    if (!row?.receiptId || !row.refundKey || !row.refundReason) return
    const sale = await findReceipt(scope, row.receiptId)
    if (!sale) return
    const amountCents = sale.totalCents - sale.refundedCents - sale.appliedCents
    if (amountCents <= 0) return
    const done = await refund(scope, {
      id: sale.id,
      lines: [0],
      amountCents,
      reason: row.refundReason,
      depositAccount: sale.depositAccountId,
      paymentMethod: cardMethod,
      idempotencyKey: row.refundKey,
    })
    if (!isRefusal(done) || done.refusal === 'PENDING') return
    if (done.refusal === 'NOT_CONNECTED' || done.refusal === 'RECONNECT') throw new Error(`A refund could not be recorded: ${done.refusal}`)
    await scope.db.transaction(async (tx) => {
      const description = `$${centsToText(amountCents)} could not be refunded to the card: ${done.message ?? done.refusal}. Give it back in another way.`
      await addInteraction(tx, scope, { contactId: row.contactId, type: 'quickbooks', description, metadata: { receiptId: sale.id } })
    })
  },
})
