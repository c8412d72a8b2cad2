/** A quote as it is written: its lines, payments and totals. */
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { cents } from '../collections/account-contract.ts'
import { cartLimits } from '../pos/rules.ts'
import { discountLimit, lineKinds } from './rules.ts'
import { quoteMessages, quoteLimits } from './quote-contract.ts'

/** A tax code's id in QuickBooks, or 'TAX' for the practice's own. */
const newLine = z.strictObject({
  kind: z.enum(lineKinds, quoteMessages.kind),
  words: requiredLine(quoteLimits.words, quoteMessages.words),
  quantity: z
    .number(quoteMessages.quantity)
    .int(quoteMessages.quantity)
    .min(1, quoteMessages.quantity)
    .max(cartLimits.quantity, quoteMessages.quantity),
  unitPriceCents: z
    .number(quoteMessages.money)
    .int(quoteMessages.money)
    .min(0, quoteMessages.money)
    .max(cartLimits.unitPrice, quoteMessages.money),
  taxCodeId: requiredText(64, quoteMessages.taxCode),
  exemptReason: optionalText(200).default(null),
  priceId: z.uuid().nullable().default(null),
})

/** The name of a scheduled payment; empty: the default name. */
const paymentName = optionalText(quoteLimits.paymentName).default(null)

export const written = {
  surgeryId: z.uuid().nullable().default(null),
  title: requiredLine(quoteLimits.title, quoteMessages.title),
  note: optionalText(quoteLimits.note).default(null),
  validUntil: calendarDay,
  lines: z.array(newLine).min(1, quoteMessages.lines).max(quoteLimits.lines, `A quote has at most ${quoteLimits.lines} lines`),
  /** Due on acceptance. */
  depositCents: z.number(quoteMessages.money).int(quoteMessages.money).min(0, quoteMessages.money).max(100_000_000, quoteMessages.money),
  depositName: paymentName,
  instalments: z
    .array(z.strictObject({ dueOn: calendarDay, amountCents: cents, name: paymentName }))
    .max(quoteLimits.instalments, `A plan has at most ${quoteLimits.instalments} instalments`),
  isBeforeSurgery: z.boolean().default(false),
  /** In hundredths of a percent; null: `discountCents` is a fixed amount. */
  discountPercent: z
    .number(quoteMessages.discountPercent)
    .int(quoteMessages.discountPercent)
    .min(1, quoteMessages.discountPercent)
    .max(discountLimit, quoteMessages.discountPercent)
    .nullable()
    .default(null),
  discountCents: z
    .number(quoteMessages.money)
    .int(quoteMessages.money)
    .min(0, quoteMessages.money)
    .max(100_000_000, quoteMessages.money)
    .default(0),
  /** The totals shown to the author. The server recomputes them from the lines and refuses different ones. */
  subtotalCents: z.number().int().min(0).max(100_000_000),
  taxCents: z.number().int().min(0).max(100_000_000),
  /** A total of 0 is refused with an error on the discount or the lines. */
  totalCents: z.number().int().min(0).max(100_000_000),
}

export const newQuote = z.strictObject({ ...written, contactId: z.uuid(), idempotencyKey: idempotencyKeyShape })
export type NewQuote = z.output<typeof newQuote>
export type Written = Omit<NewQuote, 'contactId' | 'idempotencyKey'>
