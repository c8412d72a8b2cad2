/** The input of a sales receipt or refund receipt. Fields that the simulator does not check are kept unchanged. */
import { z } from 'zod'
import { decimalNumber, reference } from '../parse-input.ts'

const itemLine = z.looseObject({
  DetailType: z.literal('SalesItemLineDetail'),
  Amount: decimalNumber,
  Description: z.string().max(4000).optional(),
  SalesItemLineDetail: z.looseObject({
    ItemRef: reference,
    UnitPrice: decimalNumber.optional(),
    Qty: decimalNumber.optional(),
    TaxCodeRef: reference.optional(),
    ClassRef: reference.optional(),
    /** The amount with tax, if GlobalTaxCalculation is TaxInclusive and Amount excludes tax. */
    TaxInclusiveAmt: decimalNumber.optional(),
  }),
})

const discountLine = z.looseObject({
  DetailType: z.literal('DiscountLineDetail'),
  Amount: decimalNumber.optional(),
  DiscountLineDetail: z.looseObject({
    PercentBased: z.boolean().default(false),
    DiscountPercent: decimalNumber.optional(),
    DiscountAccountRef: reference.optional(),
  }),
})

const otherLine = z.looseObject({
  DetailType: z.enum(['SubTotalLineDetail', 'DescriptionOnly']),
  Description: z.string().max(4000).optional(),
})

const taxLine = z.looseObject({
  Amount: decimalNumber,
  DetailType: z.literal('TaxLineDetail'),
  TaxLineDetail: z.looseObject({ TaxRateRef: reference }),
})

export const saleInput = z.looseObject({
  Line: z.array(z.discriminatedUnion('DetailType', [itemLine, discountLine, otherLine])),
  CustomerRef: reference.optional(),
  DepositToAccountRef: reference.optional(),
  PaymentMethodRef: reference.optional(),
  ClassRef: reference.optional(),
  DocNumber: z.string().max(21).optional(),
  PaymentRefNum: z.string().max(21).optional(),
  PrivateNote: z.string().max(4000).optional(),
  TxnDate: z.iso.date().optional(),
  GlobalTaxCalculation: z.enum(['TaxExcluded', 'TaxInclusive', 'NotApplicable']).default('TaxExcluded'),
  ApplyTaxAfterDiscount: z.boolean().default(false),
  TxnTaxDetail: z.looseObject({ TaxLine: z.array(taxLine).optional() }).optional(),
})

export type SaleInput = z.output<typeof saleInput>
export type ItemLine = z.output<typeof itemLine>
export type DiscountLine = z.output<typeof discountLine>
