import { and, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import { centsOfAmount } from '../../shared/money.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type CardStatus, terminalMethod, unsettledStatuses } from '../cards/rules.ts'
import { cardPayments } from '../cards/table.ts'
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

/** Whether the card that pays the rest of this sale (`reserveSale`) has one of these statuses. */
const hasCard = async (tx: Db, key: string, statuses: readonly CardStatus[]): Promise<boolean> =>
  (await tx.$count(cardPayments, and(eq(cardPayments.idempotencyKey, key), inArray(cardPayments.status, [...statuses])))) > 0

const unpaidStatuses = [...unsettledStatuses, 'cancelled'] as const satisfies readonly CardStatus[]

const receiptSettling = createSettling({
  table: salesReceipts,
  jobName: 'pos.settle-receipt',
  isReady: async (tx, row) => !(row.paymentMethod === terminalMethod && (await hasCard(tx, row.idempotencyKey, unpaidStatuses))),
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

/** Ends the card payment with this key, unless the card was charged; false: it was, or may be. The cards fill this slot. */
export const endCardPayment = slot<(scope: Scope, key: string) => Promise<boolean>>('endCardPayment')

/** Cancels a pending receipt. Null: receipt not found. UNCERTAIN: QuickBooks may have it. CHARGED: a card pays its rest. */
export async function cancelReceipt(scope: Scope, id: string) {
  const [before] = await scope.db.select().from(salesReceipts).where(eq(salesReceipts.id, id))
  if (before?.state === 'pending' && (await hasCard(scope.db, before.idempotencyKey, unsettledStatuses))) {
    return (await endCardPayment(scope, before.idempotencyKey)) ? before : refuse('CHARGED')
  }
  return scope.db.transaction(async (tx) => {
    const row = await cancelIn(tx, scope, eq(salesReceipts.id, id))
    if (row) return row
    const [found] = await tx.select().from(salesReceipts).where(eq(salesReceipts.id, id))
    if (!found) return null
    return found.state === 'pending' ? refuse('UNCERTAIN') : refuse('NOT_PENDING')
  })
}

/** Holds the card payment with this key as it is, so that it cannot end while its receipt is stored. @returns whether its card may still be taken. */
export async function holdCard(tx: Db, key: string): Promise<boolean> {
  const isUnsettled = inArray(cardPayments.status, [...unsettledStatuses])
  const held = await tx
    .select({ id: cardPayments.id })
    .from(cardPayments)
    .where(and(eq(cardPayments.idempotencyKey, key), isUnsettled))
    .for('update')
  return held.length > 0
}

/** Cancels the receipt of a sale whose card was not charged, if there is one, in the transaction that ends the card payment. */
export async function cancelReserved(tx: Db, scope: Scope, key: string): Promise<void> {
  await cancelIn(tx, scope, eq(salesReceipts.idempotencyKey, key))
}

async function cancelIn(tx: Db, scope: Scope, isReceipt: SQL): Promise<ReceiptRow | undefined> {
  const isFree = or(isNull(salesReceipts.settlingUntil), lt(salesReceipts.settlingUntil, scope.now()))
  const isOpen = and(inArray(salesReceipts.state, ['pending', 'failed']), eq(salesReceipts.isUncertain, false), isFree)
  const [row] = await tx.update(salesReceipts).set({ state: 'cancelled', nextAttemptAt: null }).where(and(isReceipt, isOpen)).returning()
  if (!row) return undefined
  const { id } = row
  await reversePrepaid(tx, scope, row)
  await recordChange(tx, scope, { action: 'changed', kind: 'sales receipt', contactIds: [], after: { id, state: 'cancelled' } })
  await publish(tx, 'receipt', id)
  return row
}

/** Settles the receipt with this key. Null: there is none. */
export async function settleKept(scope: Scope, key: string) {
  const [row] = await scope.db.select({ id: salesReceipts.id }).from(salesReceipts).where(eq(salesReceipts.idempotencyKey, key))
  return row ? completed(await settle(scope, row.id)) : null
}
