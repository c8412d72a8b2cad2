import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { slot } from '../../../kernel/slot.ts'
import { invalidReference, isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { appliedOf } from '../../collections/service.ts'
import { findConnection } from '../../quickbooks/service.ts'
import { creditAccountOf, issuedRefunds, itemFor, prepaidItemsOf, returnsOf, takeIssued } from '../../prepaid/service.ts'
import { leftOfPrepaid, prepaidMethods } from '../../prepaid/rules.ts'
import { posMessages } from '../contract.ts'
import type { RefundPayload } from '../receipt-contract.ts'
import { once } from '../idempotency.ts'
import { depositAccount } from '../price.ts'
import { otherMethod } from '../rules.ts'
import { leftOfLines, paidLinesOf, type RefundedLine, spreadRefund } from '../refund-rules.ts'
import { salesReceipts } from '../../payments/table.ts'

type Row = typeof salesReceipts.$inferSelect

/** What else happens in the transaction that records a refund: money that came from a card goes back to it. */
export const onRefund =
  slot<(tx: Db, scope: Scope, refund: { id: string; saleId: string; amountCents: number; paymentMethod: string }) => Promise<void>>(
    'onRefund',
  )

/**
 * Refunds part or all of a sale, recorded as a QuickBooks RefundReceipt: at most what is
 * left of the chosen lines and is not applied to a charge. Stored and settled like a sale. Null: sale not found.
 */
export async function refund(scope: Scope, payload: RefundPayload) {
  const { idempotencyKey, ...content } = payload
  return once(scope, idempotencyKey, content, async (keep) => {
    const connection = await findConnection(scope)
    return scope.db.transaction(async (tx) => {
      // Serializes refunds and applications to charges; a refund that is being completed may still reference the sale.
      const [sale] = await tx.select().from(salesReceipts).where(eq(salesReceipts.id, payload.id)).for('no key update')
      if (!sale) return null
      if (sale.kind !== 'sale' || sale.state !== 'complete') return refuse('NOT_REFUNDABLE')
      // It belongs to the QuickBooks company that has the sale.
      if (connection?.realmId !== sale.realmId) return refuse('NOT_CONNECTED')
      if (payload.lines.some((place) => place >= sale.lines.length)) return invalidReference({ lines: 'This line is not on the receipt' })
      const account = await depositAccount(tx, payload.depositAccount)
      if ('wrong' in account) return invalidReference({ depositAccount: account.wrong })

      const { leftOfLines: left } = await refundsOf(tx, sale)
      const free = left.reduce((sum, cents) => sum + cents, 0) - (await appliedOf(tx, sale.id))
      const chosen = payload.lines.reduce((sum, place) => sum + left[place]!, 0)
      const openCents = Math.max(0, Math.min(free, chosen))
      if (payload.amountCents > openCents) return refuse('TOO_MUCH', { openCents, fields: { amountCents: posMessages.tooMuch } })
      const lines = spreadRefund(paidLinesOf(sale), await refundedLines(tx, sale.id), payload.lines, payload.amountCents)
      const taken = await issuedRefunds(tx, sale, lines)
      if (isRefusal(taken)) return taken
      const back = await returnsOf(tx, sale, payload.amountCents)
      if (isRefusal(back)) return back
      const { moneyCents } = back
      const isToCredit = payload.paymentMethod === prepaidMethods.credit && moneyCents > 0
      const credited = isToCredit ? await creditedUse(tx, scope, sale.customerId, moneyCents) : []
      if (isRefusal(credited)) return invalidReference({ paymentMethod: credited.message! })
      const prepaid = [...back.uses, ...credited]
      const prepaidCents = prepaid.reduce((sum, { amountCents }) => sum + amountCents, 0)
      const method =
        moneyCents === 0 && prepaid[0] ? prepaidMethods[prepaid[0].kind] : (payload.paymentMethod ?? sale.paymentMethod ?? otherMethod)
      const kept = await keep(tx, {
        ...amountsOf(sale, lines),
        prepaidCents,
        prepaid,
        kind: 'refund',
        refundOf: sale.id,
        refundReason: payload.reason,
        realmId: sale.realmId,
        customerId: sale.customerId,
        customerName: sale.customerName,
        depositAccountId: account.id,
        depositAccountName: account.name,
        classId: sale.classId,
        className: sale.className,
        paymentMethod: method,
      })
      if (kept) await takeIssued(tx, scope, kept, taken)
      if (kept && moneyCents > 0 && !isToCredit) {
        await onRefund(tx, scope, { id: kept.id, saleId: sale.id, amountCents: moneyCents, paymentMethod: method })
      }
      return kept
    })
  })
}

/** Money that is given back as store credit. */
async function creditedUse(tx: Db, scope: Scope, customerId: string, cents: number) {
  const item = itemFor(await prepaidItemsOf(tx, scope.env), 'credit', scope.env)
  if (isRefusal(item)) return item
  const { id: accountId } = await creditAccountOf(tx, scope, customerId)
  return [{ ...item, accountId, kind: 'credit' as const, last4: null, amountCents: -cents }]
}

/** The receipt's lines and taxes with the refunded parts as negative amounts. */
function amountsOf({ lines, taxes }: Row, refunded: readonly RefundedLine[]) {
  const sumOf = (parts: readonly RefundedLine[], of: 'netCents' | 'taxCents') => parts.reduce((sum, part) => sum + part[of], 0)
  const [net, tax] = [sumOf(refunded, 'netCents'), sumOf(refunded, 'taxCents')]
  const issued = refunded.filter(({ line }) => lines[line]!.issues !== undefined)
  return {
    issuedCents: 0 - sumOf(issued, 'netCents') - sumOf(issued, 'taxCents'),
    lines: refunded.map(({ line, netCents, taxCents }) => ({
      ...lines[line]!,
      refunds: line,
      quantity: 1,
      unitPriceCents: -netCents,
      amountCents: -netCents,
      taxCents: -taxCents,
    })),
    taxes: taxes.flatMap((sum) => {
      const mine = refunded.filter(({ line }) => lines[line]!.taxCodeId === sum.taxCodeId)
      return mine.length === 0 ? [] : [{ ...sum, base: -sumOf(mine, 'netCents'), tax: -sumOf(mine, 'taxCents') }]
    }),
    subtotalCents: -net,
    discountPercent: 0,
    discountCents: 0,
    taxCents: -tax,
    totalCents: -(net + tax),
  }
}

/** The refunds of a sale, oldest first, without refused and cancelled ones. */
const refundRows = (tx: Db, id: string) =>
  tx
    .select()
    .from(salesReceipts)
    .where(and(eq(salesReceipts.refundOf, id), inArray(salesReceipts.state, ['pending', 'complete'])))
    .orderBy(asc(salesReceipts.createdAt), asc(salesReceipts.id))

const refundedLines = async (tx: Db, id: string): Promise<RefundedLine[]> => (await refundRows(tx, id)).flatMap(linesOf)

const linesOf = ({ lines }: Row): RefundedLine[] =>
  lines.map(({ refunds, amountCents, taxCents }) => ({ line: refunds!, netCents: -amountCents, taxCents: -taxCents }))

/** The refunds of a sale, and what is left of each line and each prepaid part. Nothing for a refund. */
export async function refundsOf(tx: Db, receipt: Pick<Row, 'id' | 'kind' | 'lines' | 'taxes' | 'prepaid'>) {
  if (receipt.kind === 'refund') return { refunds: [], leftOfLines: [], leftOfPrepaid: [] }
  const refunds = await refundRows(tx, receipt.id)
  return {
    refunds,
    leftOfLines: leftOfLines(paidLinesOf(receipt), refunds.flatMap(linesOf)),
    leftOfPrepaid: leftOfPrepaid(
      receipt.prepaid,
      refunds.flatMap(({ prepaid }) => prepaid),
    ),
  }
}
