import { z } from 'zod'
import { practiceParts, prepaidKinds } from '../prepaid/rules.ts'

export const receiptStates = ['pending', 'complete', 'failed', 'cancelled'] as const
export type ReceiptState = (typeof receiptStates)[number]

/** Kinds of receipts: a sale or a refund. A refund's amounts are negative. */
export const receiptKinds = ['sale', 'refund'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

/** The base and tax of a tax code, in cents; `rate` in millionths. */
export const receiptTax = z.object({
  taxCodeId: z.string(),
  name: z.string(),
  rate: z.number(),
  base: z.number().int(),
  tax: z.number().int(),
})

/** What each part of a receipt was paid with, besides money; in cents. */
export const receiptPrepaid = z.array(
  z.object({ kind: z.enum([...prepaidKinds, ...practiceParts]), last4: z.string().nullable(), amountCents: z.number().int() }),
)

export const receiptLine = z.object({
  itemId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  quantity: z.number().int(),
  unitPriceCents: z.number().int(),
  amountCents: z.number().int(),
  taxCodeId: z.string(),
  taxCodeName: z.string(),
  /** In millionths. */
  taxRate: z.number().int(),
  taxCents: z.number().int(),
  exemptReason: z.string().nullable(),
  /** What it sells that is used later. */
  issues: z.enum(prepaidKinds).optional(),
  /** For a package: the sessions that it has, of which item, and its last day. */
  package: z.object({ itemId: z.string(), itemName: z.string(), sessions: z.number().int(), expiresOn: z.string().nullable() }).optional(),
})
export type ReceiptLine = z.output<typeof receiptLine>
export type ReceiptTax = z.output<typeof receiptTax>
