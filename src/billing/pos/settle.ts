import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { centsOfAmount } from '../../shared/money.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { createSettling, type Settled } from '../quickbooks/service.ts'
import { completePrepaid, reversePrepaid } from '../prepaid/service.ts'
import { toQuickBooksPayload } from './quickbooks-payload.ts'
import { logReceipt, payForCustomer } from './payment.ts'
import { salesReceipts } from '../payments/table.ts'

export type ReceiptRow = typeof salesReceipts.$inferSelect

/** The receipt in QuickBooks, or why it is not there (yet). */
export function completed({ row, outcome }: Settled<ReceiptRow>) {
  const data = { receiptId: row.id }
  if (outcome === 'reconnect') return refuse('RECONNECT', data)
  if (outcome === 'failed') return refuse('REFUSED', data, row.problem ?? 'QuickBooks refused this')
  if (outcome === 'cancelled') return refuse('CANCELLED')
  return outcome === 'complete' ? row : refuse('PENDING', { ...data, isUncertain: row.isUncertain })
}

const receiptSettling = createSettling({
  table: salesReceipts,
  jobName: 'pos.settle-receipt',
  record: (quickBooks, row) =>
    (row.kind === 'refund' ? quickBooks.createRefundReceipt : quickBooks.createSalesReceipt)(row.requestId, toQuickBooksPayload(row)),
  recorded({ kind }, booked) {
    const total = centsOfAmount(booked.TotalAmt)
    return { qbId: booked.Id, docNumber: booked.DocNumber ?? null, qbTotalCents: kind === 'refund' && total !== null ? -total : total }
  },
  /** Assigns the receipt to its patient. */
  async onComplete(tx, scope, row) {
    const { id, totalCents } = row
    if (row.qbTotalCents !== totalCents - row.prepaidCents)
      scope.log.error({ receiptId: id }, "QuickBooks' total of a receipt is not the confirmed one")
    await completePrepaid(tx, scope, row)
    // Failing to find or create the patient must not undo what QuickBooks has: that part is retried on its own.
    const isLogged = await tx
      .transaction((part) => payForCustomer(part, scope, row))
      .catch(
        (error: unknown) => (
          scope.log.warn({ receiptId: id, error: error instanceof Error ? error.name : 'failed' }, 'A receipt waits for its patient'),
          false
        ),
      )
    if (!isLogged) await enqueue(tx, logReceipt, { id }, `log ${id}`)
    const after = { id, state: 'complete', qbId: row.qbId, totalCents }
    await recordChange(tx, scope, { action: 'changed', kind: 'sales receipt', contactIds: [], after })
  },
  async onRefused(tx, scope, row) {
    await reversePrepaid(tx, scope, row)
    await recordChange(tx, scope, { action: 'changed', kind: 'sales receipt', contactIds: [], after: { id: row.id, state: 'failed' } })
  },
  publish: (tx, id) => publish(tx, 'receipt', id),
})

export const { settle, job: settleReceipt, enqueueLater: enqueueSettling } = receiptSettling

/** Cancels a pending receipt. Null: receipt not found. UNCERTAIN: QuickBooks may have it. */
export async function cancelReceipt(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const isFree = or(isNull(salesReceipts.settlingUntil), lt(salesReceipts.settlingUntil, scope.now()))
    const [row] = await tx
      .update(salesReceipts)
      .set({ state: 'cancelled', nextAttemptAt: null })
      .where(
        and(eq(salesReceipts.id, id), sql`${salesReceipts.state} in ('pending', 'failed')`, eq(salesReceipts.isUncertain, false), isFree),
      )
      .returning()
    if (row) {
      await reversePrepaid(tx, scope, row)
      await recordChange(tx, scope, { action: 'changed', kind: 'sales receipt', contactIds: [], after: { id, state: 'cancelled' } })
      await publish(tx, 'receipt', id)
      return row
    }
    const [found] = await tx.select().from(salesReceipts).where(eq(salesReceipts.id, id))
    if (!found) return null
    return found.state === 'pending' ? refuse('UNCERTAIN') : refuse('NOT_PENDING')
  })
}
