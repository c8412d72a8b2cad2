import { amountOfCents } from '../../shared/money.ts'
import { paidLinesOf } from './refund-rules.ts'
import { wholeRate } from './rules.ts'
import type { salesReceipts } from '../payments/table.ts'

type Row = Pick<
  typeof salesReceipts.$inferSelect,
  | 'kind'
  | 'lines'
  | 'taxes'
  | 'discountCents'
  | 'taxCents'
  | 'prepaid'
  | 'customerId'
  | 'customerName'
  | 'depositAccountId'
  | 'classId'
  | 'paymentMethod'
  | 'refundReason'
  | 'memo'
>

/**
 * A receipt as a QuickBooks payload. A refund is sent like a sale, with non-negative amounts. The discount and the tax are sent as amounts:
 * given percentages, QuickBooks would round once per rate, which can differ from the sum of the lines by a cent. What prepaid balances pay is a negative
 * line of the item that posts to their liability, so QuickBooks' total is the money that changed hands. QuickBooks would spread a discount over those
 * lines, too, so then the lines are sent with the discount taken off.
 */
export function toQuickBooksPayload(row: Row): object {
  const amountOf = (cents: number) => amountOfCents(row.kind === 'refund' ? -cents : cents)
  const isNet = row.prepaid.length > 0 && row.discountCents > 0
  const net = isNet ? paidLinesOf(row) : []
  const sold = row.lines.map((line, index) => ({
    DetailType: 'SalesItemLineDetail',
    Amount: amountOf(net[index]?.netCents ?? line.amountCents),
    Description: line.description ?? line.name,
    SalesItemLineDetail: {
      ItemRef: { value: line.itemId, name: line.name },
      UnitPrice: amountOf(net[index]?.netCents ?? line.unitPriceCents),
      Qty: isNet ? 1 : line.quantity,
      TaxCodeRef: { value: line.taxCodeId },
      ...(row.classId ? { ClassRef: { value: row.classId } } : {}),
    },
  }))
  const used = row.prepaid.map(({ itemId, itemName, taxCodeId, amountCents }) => ({
    DetailType: 'SalesItemLineDetail',
    Amount: amountOf(0 - amountCents),
    Description: itemName,
    SalesItemLineDetail: {
      ItemRef: { value: itemId, name: itemName },
      UnitPrice: amountOf(0 - amountCents),
      Qty: 1,
      TaxCodeRef: { value: taxCodeId },
    },
  }))
  const lines = [...sold, ...used]
  const discount = {
    DetailType: 'DiscountLineDetail',
    Amount: amountOf(row.discountCents),
    DiscountLineDetail: { PercentBased: false },
  }
  const taxLines = row.taxes.flatMap(({ rateId, rate, base, tax }) =>
    rateId === null
      ? []
      : [
          {
            DetailType: 'TaxLineDetail',
            Amount: amountOf(tax),
            TaxLineDetail: {
              TaxRateRef: { value: rateId },
              PercentBased: true,
              TaxPercent: (rate * 100) / wholeRate,
              NetAmountTaxable: amountOf(base),
            },
          },
        ],
  )
  const paid = row.paymentMethod ? `Paid by ${row.paymentMethod}` : null
  const note = [row.refundReason, paid].filter(Boolean).join('. ')
  return {
    CustomerRef: { value: row.customerId, name: row.customerName },
    DepositToAccountRef: { value: row.depositAccountId },
    ...(row.classId ? { ClassRef: { value: row.classId } } : {}),
    GlobalTaxCalculation: 'TaxExcluded',
    ApplyTaxAfterDiscount: true,
    Line: row.discountCents > 0 && !isNet ? [...lines, discount] : lines,
    TxnTaxDetail: { TotalTax: amountOf(row.taxCents), TaxLine: taxLines },
    ...(row.memo ? { CustomerMemo: { value: row.memo } } : {}),
    ...(note ? { PrivateNote: note } : {}),
  }
}
