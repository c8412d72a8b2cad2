import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { idempotencyKeyShape, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { receiptKinds, receiptLine, receiptPrepaid, receiptStates, receiptTax } from '../payments/contract.ts'
import { receiptFilters, receiptPages } from './filter.ts'
import { cartLimits } from './rules.ts'

/** Messages about receipts; `posMessages` includes them. */
export const receiptMessages = {
  emailRequired: 'Email is required',
  email: 'Please enter a valid email address',
  noLines: 'Choose the lines to refund',
  refund: 'Enter an amount of at least $0.01',
  refundReason: 'Reason is required',
  tooMuch: 'This is more than is left to refund',
  unknownAddress: 'This isn’t an email address of the patient or the customer',
  away: 'QuickBooks is not answering. The receipt is saved as pending and will be recorded automatically. Do not enter it again.',
  reconnect: 'QuickBooks is not connected. Ask an administrator to connect it in Settings.',
} as const

export const id = (message: string) => requiredText(64, message)

export const maxTotal = cartLimits.unitPrice * cartLimits.quantity

const tags = ['Point of sale']
export const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
export const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

const refundPayload = z.strictObject({
  id: z.uuid(),
  /** Zero-based positions of the refunded lines. */
  lines: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(cartLimits.lines - 1),
    )
    .min(1, receiptMessages.noLines)
    .max(cartLimits.lines)
    .refine((places) => new Set(places).size === places.length, receiptMessages.noLines),
  /** Tax included. */
  amountCents: z
    .number(receiptMessages.refund)
    .int(receiptMessages.refund)
    .min(1, receiptMessages.refund)
    .max(maxTotal, receiptMessages.tooMuch),
  reason: requiredLine(300, receiptMessages.refundReason),
  /** The account that the money is paid from. */
  depositAccount: id('Choose an account'),
  paymentMethod: optionalText(64).default(null),
  idempotencyKey: idempotencyKeyShape,
})
export type RefundPayload = z.output<typeof refundPayload>

export const named = z.object({ Id: z.string(), Name: z.string() })
const person = z.object({ id: z.uuid(), name: z.string() })

const receipt = z.object({
  id: z.uuid(),
  kind: z.enum(receiptKinds),
  /** For a refund: the sale and the reason. Its amounts are negative. */
  refundOf: z.uuid().nullable(),
  refundReason: z.string().nullable(),
  /** The refunded amount of a sale, including refunds not yet in QuickBooks; not negative. */
  refundedCents: z.number().int(),
  state: z.enum(receiptStates),
  customerId: z.string(),
  customerName: z.string(),
  /** The patient whose timeline shows it. */
  contactId: z.uuid().nullable(),
  lines: z.array(receiptLine),
  taxes: z.array(receiptTax),
  subtotalCents: z.number().int(),
  /** In hundredths of a percent. */
  discountPercent: z.number().int(),
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  totalCents: z.number().int(),
  /** The part of the total that gift cards, packages and credit paid; negative in a refund, which gives it back to them. */
  prepaidCents: z.number().int(),
  prepaid: receiptPrepaid,
  depositAccountId: z.string(),
  depositAccountName: z.string(),
  classId: z.string().nullable(),
  className: z.string().nullable(),
  paymentMethod: z.string().nullable(),
  isDeposit: z.boolean(),
  memo: z.string().nullable(),
  qbId: z.string().nullable(),
  docNumber: z.string().nullable(),
  /** QuickBooks' total minus ours; null if equal or not known yet. */
  differenceCents: z.number().int().nullable(),
  /** Whether QuickBooks may already have it without having confirmed. */
  isUncertain: z.boolean(),
  problem: z.string().nullable(),
  attempts: z.number().int(),
  nextAttemptAt: z.date().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  completedAt: z.date().nullable(),
})

/** One receipt, and what can still be refunded. */
const receiptDetails = receipt.extend({
  refunds: z.array(
    z.object({
      id: z.uuid(),
      state: z.enum(receiptStates),
      docNumber: z.string().nullable(),
      totalCents: z.number().int(),
      paymentMethod: z.string().nullable(),
      prepaidCents: z.number().int(),
      prepaid: receiptPrepaid,
      createdAt: z.date(),
    }),
  ),
  /** The amount applied to ledger charges; it must be unapplied before it can be refunded. */
  appliedCents: z.number().int(),
  /** The card that paid a sale through Stripe; null: none, or not known. */
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** The refundable amount of each line, tax included. */
  leftOfLines: z.array(z.number().int()),
  /** What was used of the gift card or the credit that each line sold, which is not refunded; in cents. */
  usedOfLines: z.array(z.number().int()),
  /** What each part of `prepaid` has not got back. A refund goes there first, and only its rest is money. */
  leftOfPrepaid: z.array(z.number().int()),
})

const receiptAddress = z.object({ email: z.string(), owner: z.enum(['patient', 'customer']) })
export type ReceiptAddress = z.output<typeof receiptAddress>

const counted = { count: z.number().int(), totalCents: z.number().int() }
/** Totals of all receipts that match the filters. */
const receiptTotals = z.object({
  ...counted,
  subtotalCents: z.number().int(),
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  /** What gift cards, packages and credit paid, with `goodwillCents` and `feeCents`: revenue, but no money that day. */
  prepaidCents: z.number().int(),
  /** What the practice bore itself, and what financing companies kept as their fee. */
  goodwillCents: z.number().int(),
  feeCents: z.number().int(),
  /** The number of refunds and their amount; not negative. */
  refunds: z.object(counted),
  /** The number of receipts whose QuickBooks total differs from ours. */
  differing: z.number().int(),
  taxes: z.array(receiptTax),
  /** The amount per deposit account and payment method, largest first: the day-end summary. */
  accounts: z.array(
    z.object({ id: z.string(), name: z.string(), ...counted, methods: z.array(z.object({ method: z.string().nullable(), ...counted })) }),
  ),
})
export type ReceiptTotals = z.output<typeof receiptTotals>

export const created = z.object({
  Id: z.string(),
  DocNumber: z.string().nullable(),
  receiptId: z.uuid(),
  contactId: z.uuid().nullable(),
  /** See `Receipt`. */
  differenceCents: z.number().int().nullable(),
})

export const email = requiredText(254, receiptMessages.emailRequired).pipe(z.email(receiptMessages.email))

export const fields = z.object({ fields: z.record(z.string(), z.string()) })
const one = z.strictObject({ id: z.uuid() })
const noReceipt = { NOT_FOUND: { status: 404, message: 'This receipt does not exist' } } as const

export const settling = {
  CANCELLED: { status: 409, message: 'This receipt was cancelled' },
  RECONNECT: { status: 409, message: receiptMessages.reconnect, data: z.object({ receiptId: z.uuid() }) },
  PENDING: { status: 503, message: receiptMessages.away, data: z.object({ receiptId: z.uuid(), isUncertain: z.boolean() }) },
  REFUSED: { status: 422, message: 'QuickBooks refused this', data: z.object({ receiptId: z.uuid() }) },
} as const

const pendingPages = cursorPages(instantPlace, { limit: 200, max: 200 })

/** Calls about existing receipts. */
export const receiptCalls = {
  pending: get('/pos/receipts/pending', 'List and count receipts that are not in QuickBooks yet or were refused, oldest first')
    .input(z.strictObject(pendingPages.input))
    .output(pendingPages.output(receipt).extend({ total: z.number().int() })),
  receipts: get('/pos/receipts', 'List receipts, newest first; by default those in QuickBooks')
    .input(receiptFilters.extend(receiptPages.input))
    .output(receiptPages.output(receipt)),
  receiptTotals: get('/pos/receipts/totals', 'Get receipt totals by tax code, deposit account and payment method')
    .input(receiptFilters)
    .output(receiptTotals),
  receiptChoices: get('/pos/receipts/choices', 'List the filter values used by any receipt').output(
    z.object({ methods: z.array(z.string()), accounts: z.array(named), classes: z.array(named), staff: z.array(person) }),
  ),
  receipt: get('/pos/receipts/{id}', 'Get a receipt').input(one).errors(noReceipt).output(receiptDetails),
  soldGiftCards: get('/pos/receipts/{id}/gift-cards', 'Get the codes of the gift cards that a receipt sold, as they are printed on it')
    .input(one)
    .errors(noReceipt)
    .output(z.object({ giftCards: z.array(z.object({ code: z.string(), cents: z.number().int() })) })),
  refund: post('/pos/receipts/{id}/refunds', 'Refund part or all of a receipt and record it in QuickBooks, once')
    .input(refundPayload)
    .errors({
      ...noReceipt,
      NOT_REFUNDABLE: { status: 409, message: 'Only a sale that is in QuickBooks can be refunded' },
      TOO_MUCH: { status: 422, message: receiptMessages.tooMuch, data: fields.extend({ openCents: z.number().int() }) },
      INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
      KEY_REUSED: { status: 409, message: 'This idempotency key was used for another receipt' },
      NOT_CONNECTED: { status: 409, message: receiptMessages.reconnect },
      ...settling,
    })
    .output(created),
  receiptAddresses: get(
    '/pos/receipts/{id}/addresses',
    "Where a receipt may be sent: the patient's own addresses, the primary one first, and the customer's",
  )
    .input(one)
    .errors(noReceipt)
    .output(z.object({ addresses: z.array(receiptAddress) })),
  emailReceipt: post('/pos/receipts/{id}/email', 'Email a complete receipt as a PDF to one of its allowed addresses')
    .input(one.extend({ email, idempotencyKey: idempotencyKeyShape }))
    .errors({
      ...noReceipt,
      NOT_COMPLETE: { status: 409, message: 'QuickBooks does not have this receipt, so it cannot be sent' },
      INVALID_REFERENCE: { status: 422, message: receiptMessages.unknownAddress, data: fields },
      KEY_REUSED: { status: 409, message: 'This idempotency key was used for a different request' },
    })
    .output(z.object({ email: z.string() })),
  retry: post('/pos/receipts/{id}/retry', 'Retry recording a pending receipt now')
    .input(one)
    .errors({ ...noReceipt, ...settling })
    .output(created),
  cancel: post('/pos/receipts/{id}/cancel', 'Cancel a receipt that QuickBooks certainly does not have')
    .input(one)
    .errors({
      ...noReceipt,
      NOT_PENDING: { status: 409, message: 'This receipt is no longer pending' },
      UNCERTAIN: { status: 409, message: 'QuickBooks may have this receipt already. It can be cancelled once QuickBooks has answered.' },
      CHARGED: { status: 409, message: 'A card was charged for this receipt, or may be at any moment. Try again in a few minutes.' },
    })
    .output(receipt),
}
