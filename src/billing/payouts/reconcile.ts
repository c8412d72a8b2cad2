import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cardDisputes, cardPayments, cardRefunds } from '../cards/table.ts'
import { preparePosting } from './post.ts'
import { type Known, type KnownRecord, reconcile, type Transaction } from './rules.ts'
import { payoutDeposits, payoutTransactions, payouts } from './table.ts'

/**
 * Compares a payout with its transactions and with our records, and has it posted if it adds up. Any number of times: what someone accepted is not compared again, and what is on its way
 * to QuickBooks, stays as it is.
 */
export const reconcilePayout = (scope: Scope, id: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('update')
    if (!payout) throw new Error('A payout that does not exist was reconciled')
    await publish(tx, 'payout', id)
    if (!payout.isRead || (await tx.$count(payoutDeposits, eq(payoutDeposits.id, id))) > 0) return
    if (payout.acceptedAt) return preparePosting(tx, scope, payout)
    const transactions = await tx
      .select()
      .from(payoutTransactions)
      .where(eq(payoutTransactions.payoutId, id))
      .orderBy(payoutTransactions.createdAt, payoutTransactions.id)
    const { sums, differences } = reconcile(payout, transactions, await knownOf(tx, id, transactions))
    const isSame = payout.reconciledAt !== null && isDeepStrictEqual(differences, payout.differences)
    const reconciledAt = isSame ? payout.reconciledAt : scope.now()
    const [row] = await tx
      .update(payouts)
      .set({ ...sums, differences, reconciledAt })
      .where(eq(payouts.id, id))
      .returning()
    if (differences.length === 0) await preparePosting(tx, scope, row!)
  })

/** Our records of what these transactions are about. */
async function knownOf(tx: Db, payoutId: string, transactions: readonly Pick<Transaction, 'sourceId'>[]): Promise<Known> {
  const sources = [...new Set(transactions.flatMap(({ sourceId }) => sourceId ?? []))]
  if (sources.length === 0) return { charges: new Map(), refunds: new Map(), disputes: new Map() }
  const [payments, refunds, disputes, elsewhere] = [
    await tx
      .select({ id: cardPayments.stripeChargeId, amountCents: cardPayments.amountCents, status: cardPayments.status })
      .from(cardPayments)
      .where(inArray(cardPayments.stripeChargeId, sources)),
    await tx
      .select({ id: cardRefunds.stripeRefundId, amountCents: cardRefunds.amountCents, status: cardRefunds.status })
      .from(cardRefunds)
      .where(inArray(cardRefunds.stripeRefundId, sources)),
    await tx
      .select({ id: cardDisputes.stripeDisputeId, amountCents: cardDisputes.amountCents })
      .from(cardDisputes)
      .where(inArray(cardDisputes.stripeDisputeId, sources)),
    await tx
      .select({ id: payoutTransactions.sourceId })
      .from(payoutTransactions)
      .where(
        and(
          inArray(payoutTransactions.sourceId, sources),
          ne(payoutTransactions.payoutId, payoutId),
          inArray(payoutTransactions.category, ['charge', 'refund']),
        ),
      ),
  ]
  const others = new Set(elsewhere.map(({ id }) => id))
  const byId = (rows: readonly { id: string | null; amountCents: number; hasHappened: boolean }[]): Map<string, KnownRecord> =>
    new Map(rows.map(({ id, ...one }) => [id!, { ...one, isInOtherPayout: others.has(id) }]))
  return {
    charges: byId(payments.map(({ status, ...one }) => ({ ...one, hasHappened: status === 'paid' }))),
    refunds: byId(refunds.map(({ status, ...one }) => ({ ...one, hasHappened: status !== 'failed' }))),
    disputes: byId(disputes.map((one) => ({ ...one, hasHappened: true }))),
  }
}
