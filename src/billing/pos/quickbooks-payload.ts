import { amountOfCents } from '../../shared/money.ts'
import { wholeRate } from './rules.ts'
import type { salesReceipts } from '../payments/table.ts'

type Row = Pick<
  typeof salesReceipts.$inferSelect,
  | 'kind'
  | 'lines'
  | 'taxes'
  | 'discountCents'
  | 'taxCents'
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
 * given percentages, QuickBooks would round once per rate, which can differ from the sum of the lines by a cent.
 */
export function toQuickBooksPayload(row: Row): object {
  const amountOf = (cents: number) => amountOfCents(row.kind === 'refund' ? -cents : cents)
  const lines = row.lines.map((line) => ({
    DetailType: 'SalesItemLineDetail',
    Amount: amountOf(line.amountCents),
    Description: line.description ?? line.name,
    SalesItemLineDetail: {
      ItemRef: { value: line.itemId, name: line.name },
      UnitPrice: amountOf(line.unitPriceCents),
      Qty: line.quantity,
      TaxCodeRef: { value: line.taxCodeId },
      ...(row.classId ? { ClassRef: { value: row.classId } } : {}),
    },
  }))
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
    Line: row.discountCents > 0 ? [...lines, discount] : lines,
    TxnTaxDetail: { TotalTax: amountOf(row.taxCents), TaxLine: taxLines },
    ...(row.memo ? { CustomerMemo: { value: row.memo } } : {}),
    ...(note ? { PrivateNote: note } : {}),
  }
}
