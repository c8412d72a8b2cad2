import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { centsToText } from '../../shared/money.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { cardAccountOf } from './account.ts'
import { cardMethod, terminalMethod } from './rules.ts'
import { cardPayments, cardRefunds } from './table.ts'

/** A refund that was recorded at the point of sale. */
export interface RecordedRefund {
  id: string
  saleId: string
  /** Positive, tax included. */
  amountCents: number
  paymentMethod: string
}

/**
 * Gives a refund of a card payment back to its card, in the transaction that records the refund: its receipt and the refund at Stripe have the same id. Does nothing for
 * other sales, and where staff chose another way to give the money back.
 */
export async function refundToCard(tx: Db, scope: Scope, { id, saleId, amountCents, paymentMethod }: RecordedRefund): Promise<void> {
  if (paymentMethod !== cardMethod && paymentMethod !== terminalMethod) return
  const [payment] = await tx
    .select({ id: cardPayments.id })
    .from(cardPayments)
    .where(and(eq(cardPayments.receiptId, saleId), eq(cardPayments.status, 'paid')))
  if (!payment) return
  const now = scope.now()
  await tx.insert(cardRefunds).values({ id, paymentId: payment.id, amountCents, createdAt: now, updatedAt: now })
  await enqueue(tx, sendRefund, { id }, `refund ${id}`)
}

/** Refunds at Stripe, once. Throws, and so is retried, while Stripe is not available. What Stripe refuses is on the timeline, for staff to pay otherwise. */
export const sendRefund = defineJob({
  name: 'cards.send-refund',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    const [row] = await scope.db
      .select({ refund: cardRefunds, contactId: cardPayments.contactId, stripePaymentId: cardPayments.stripePaymentId })
      .from(cardRefunds)
      .innerJoin(cardPayments, eq(cardPayments.id, cardRefunds.paymentId))
      .where(eq(cardRefunds.id, id))
    const account = cardAccountOf(scope)
    if (row?.refund.status !== 'started' || !row.stripePaymentId || !account) return
    const { contactId, stripePaymentId: paymentId, refund } = row
    const { amountCents } = refund
    const made = await account.client.refund({ paymentId, amountCents, reference: id }, id)
    if (!made.ok && made.kind !== 'refused' && made.kind !== 'declined') throw new Error(`Stripe did not refund: ${made.kind}`)
    const isDone = made.ok && made.value.status !== 'failed' && made.value.status !== 'canceled'
    const problem = isDone ? null : made.ok ? 'the bank did not take it' : made.message.replace(/\.$/, '')
    await scope.db.transaction(async (tx) => {
      const status = isDone ? ('done' as const) : ('failed' as const)
      const isOpen = and(eq(cardRefunds.id, id), eq(cardRefunds.status, 'started'))
      const set = { status, problem, stripeRefundId: made.ok ? made.value.id : null, updatedAt: scope.now() }
      const [changed] = await tx.update(cardRefunds).set(set).where(isOpen).returning()
      if (!changed) return
      const amount = `$${centsToText(amountCents)}`
      const description = isDone
        ? `${amount} refunded to the card`
        : `${amount} could not be refunded to the card: ${problem}. Give it back in another way.`
      await addInteraction(tx, scope, { contactId, type: 'quickbooks', description, metadata: { receiptId: id } })
      await publish(tx, 'contact', contactId)
      await publish(tx, 'receipt', id)
    })
  },
})
