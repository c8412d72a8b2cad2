import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { QuickBooksFailure } from '../../integrations/quickbooks/failure.ts'
import type { Receipt as Booked } from '../../integrations/quickbooks/shapes.ts'
import { centsOfAmount } from '../../shared/money.ts'
import { z } from 'zod'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { shareWork } from '../../kernel/shared-work.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { openQuickBooks } from '../quickbooks/service.ts'
import { completePrepaid, reversePrepaid } from '../prepaid/service.ts'
import { toQuickBooksPayload } from './quickbooks-payload.ts'
import { logReceipt, payForCustomer } from './payment.ts'
import { salesReceipts } from '../payments/table.ts'

export type ReceiptRow = typeof salesReceipts.$inferSelect

/**
 * `complete`, `failed` (QuickBooks refused it) and `cancelled` are final. `pending`: it will be retried. `reconnect`: pending until
 * someone reconnects QuickBooks. `busy`: another process is settling it.
 */
export type Settled = { row: ReceiptRow; outcome: 'complete' | 'failed' | 'cancelled' | 'pending' | 'reconnect' | 'busy' }

/** The receipt in QuickBooks, or why it is not there (yet). */
export function completed({ row, outcome }: Settled) {
  const data = { receiptId: row.id }
  if (outcome === 'reconnect') return refuse('RECONNECT', data)
  if (outcome === 'failed') return refuse('REFUSED', data, row.problem ?? 'QuickBooks refused this')
  if (outcome === 'cancelled') return refuse('CANCELLED')
  return outcome === 'complete' ? row : refuse('PENDING', { ...data, isUncertain: row.isUncertain })
}

/** Retries of a failed call while a user waits; then the job takes over. */
const retries = 1
/** Maximum milliseconds for settling, including token refreshes and pauses. */
export const settlingTime = (timeoutSeconds: number): number => ((retries + 1) * timeoutSeconds + 5) * 1_000

/** Milliseconds until the job retries: from 15 seconds to an hour. */
const pauseAfter = (attempts: number): number => Math.min(15_000 * 2 ** Math.max(0, attempts - 1), 60 * 60_000)

/** A request or job for a receipt that this process is settling waits for the same result. */
const share = shareWork<Settled>()

/** Records a pending receipt in QuickBooks and stores the result. Repeated or concurrent calls record it once. */
export const settle = (scope: Scope, id: string): Promise<Settled> => share(scope.env, id, () => settleOnce(scope, id))

async function settleOnce(scope: Scope, id: string): Promise<Settled> {
  const begun = await begin(scope, id)
  if ('outcome' in begun) return begun
  const quickBooks = await openQuickBooks(scope, retries)
  // Another company has been connected since: the receipt belongs to the company it was created for.
  if (quickBooks?.realmId !== begun.row.realmId)
    return postpone(scope, begun.row, { kind: 'reconnect', isUncertain: begun.wasUncertain, message: 'QuickBooks is not connected' })
  const { kind, requestId } = begun.row
  const create = kind === 'refund' ? quickBooks.createRefundReceipt : quickBooks.createSalesReceipt
  const result = await create(requestId, toQuickBooksPayload(begun.row))
  if (result.ok) return complete(scope, begun.row, result.value)
  // An uncertain receipt stays uncertain: no response now says nothing about earlier calls.
  const failed = { ...result, isUncertain: result.isUncertain || begun.wasUncertain }
  return result.kind === 'refused' ? fail(scope, begun.row, failed) : postpone(scope, begun.row, failed)
}

/** From here on QuickBooks may have it, even if this process dies. */
async function begin(scope: Scope, id: string): Promise<{ row: ReceiptRow; wasUncertain: boolean } | Settled> {
  const now = scope.now()
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(salesReceipts).where(eq(salesReceipts.id, id)).for('update')
    if (!before) throw new Error('A receipt that does not exist was to be settled')
    if (before.state !== 'pending') return { row: before, outcome: before.state }
    if (before.settlingUntil && before.settlingUntil > now) return { row: before, outcome: 'busy' }
    const settlingUntil = new Date(now.getTime() + settlingTime(scope.env.QUICKBOOKS_TIMEOUT_SECONDS))
    const begun = { isUncertain: true, settlingUntil, attempts: before.attempts + 1 }
    const [row] = await tx.update(salesReceipts).set(begun).where(eq(salesReceipts.id, id)).returning()
    return { row: row!, wasUncertain: before.isUncertain }
  })
}

const isPending = (id: string) => and(eq(salesReceipts.id, id), eq(salesReceipts.state, 'pending'))

/** Completes the receipt and assigns it to its patient in one transaction. */
async function complete(scope: Scope, { id, kind, totalCents }: ReceiptRow, booked: Booked): Promise<Settled> {
  const qbTotal = centsOfAmount(booked.TotalAmt)
  return scope.db.transaction(async (tx) => {
    const [row] = await tx
      .update(salesReceipts)
      .set({
        state: 'complete',
        qbId: booked.Id,
        docNumber: booked.DocNumber ?? null,
        qbTotalCents: kind === 'refund' && qbTotal !== null ? -qbTotal : qbTotal,
        isUncertain: false,
        settlingUntil: null,
        problem: null,
        nextAttemptAt: null,
        completedAt: scope.now(),
      })
      .where(isPending(id))
      .returning()
    if (!row) return ended(tx, id)
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
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'sales receipt',
      contactIds: [],
      after: { id, state: 'complete', qbId: row.qbId, totalCents },
    })
    await publish(tx, 'receipt', id)
    return { row, outcome: 'complete' }
  })
}

/** QuickBooks refused the receipt: someone has to change it. */
async function fail(scope: Scope, { id }: ReceiptRow, { message }: Pick<QuickBooksFailure, 'message'>): Promise<Settled> {
  return scope.db.transaction(async (tx) => {
    const set = { state: 'failed' as const, isUncertain: false, settlingUntil: null, nextAttemptAt: null, problem: message }
    const [row] = await tx.update(salesReceipts).set(set).where(isPending(id)).returning()
    if (!row) return ended(tx, id)
    await reversePrepaid(tx, scope, row)
    await recordChange(tx, scope, { action: 'changed', kind: 'sales receipt', contactIds: [], after: { id, state: 'failed' } })
    await publish(tx, 'receipt', id)
    return { row, outcome: 'failed' }
  })
}

type Passing = Pick<QuickBooksFailure, 'kind' | 'isUncertain' | 'message'>

async function postpone(scope: Scope, { id, attempts }: ReceiptRow, { kind, isUncertain, message }: Passing): Promise<Settled> {
  return scope.db.transaction(async (tx) => {
    const nextAttemptAt = new Date(scope.now().getTime() + pauseAfter(attempts))
    const set = { isUncertain, settlingUntil: null, problem: message, nextAttemptAt }
    const [row] = await tx.update(salesReceipts).set(set).where(isPending(id)).returning()
    if (!row) return ended(tx, id)
    await enqueue(tx, settleReceipt, { id }, `settle ${id}`, nextAttemptAt)
    await publish(tx, 'receipt', id)
    return { row, outcome: kind === 'reconnect' ? 'reconnect' : 'pending' }
  })
}

/** Another request was faster. */
async function ended(tx: Pick<Scope['db'], 'select'>, id: string): Promise<Settled> {
  const [row] = await tx.select().from(salesReceipts).where(eq(salesReceipts.id, id))
  return { row: row!, outcome: row!.state }
}

/**
 * Settles a receipt that a request left behind: its process died, or QuickBooks did not answer. It uses the same requestid, so that
 * a receipt already in QuickBooks is found instead of created again. It requeues itself while QuickBooks is down.
 */
export const settleReceipt = defineJob({
  name: 'pos.settle-receipt',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }) {
    const { outcome } = await settle(scope, id)
    if (outcome === 'busy') throw new Error('Another process is at this receipt')
  },
  maxAttempts: 25,
})

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
