/** Stripe's objects, limited to the fields used here. Amounts are in cents, times in seconds since 1970. */
import { z } from 'zod'

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_\\w{1,200}$`))

export const customer = z.object({ id: id('cus') })

/** A card, typed into a page or held to a reader. */
const shownCard = z.object({
  brand: z.string().nullish(),
  last4: z.string().nullish(),
  exp_month: z.number().int(),
  exp_year: z.number().int(),
})
export const paymentMethod = z
  .object({
    id: id('pm'),
    type: z.string(),
    customer: z.string().nullable(),
    card: shownCard.optional(),
    card_present: shownCard.optional(),
    interac_present: shownCard.optional(),
  })
  .transform(({ id, type, customer, card, card_present, interac_present }) => {
    const shown = card ?? card_present ?? interac_present
    return {
      id,
      type,
      customerId: customer,
      card: shown && {
        brand: shown.brand ?? 'unknown',
        last4: shown.last4 ?? '',
        expiryMonth: shown.exp_month,
        expiryYear: shown.exp_year,
      },
    }
  })
export type PaymentMethod = z.output<typeof paymentMethod>

export const intentStatuses = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'canceled',
  'succeeded',
] as const

/** A payment intent, read with its payment method. */
export const payment = z
  .object({
    id: id('pi'),
    status: z.enum(intentStatuses),
    amount: z.number().int(),
    amount_received: z.number().int(),
    currency: z.string(),
    client_secret: z.string(),
    latest_charge: z.string().nullable(),
    payment_method: paymentMethod.nullable(),
    last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullable(),
  })
  .transform(({ amount, amount_received, client_secret, latest_charge, payment_method, last_payment_error: error, ...intent }) => ({
    ...intent,
    amountCents: amount,
    receivedCents: amount_received,
    clientSecret: client_secret,
    chargeId: latest_charge,
    method: payment_method,
    failureCode: error ? (error.decline_code ?? error.code ?? 'unknown') : null,
  }))
export type Payment = z.output<typeof payment>

/** A setup intent, which keeps a card and charges nothing, read as a payment of nothing. */
export const setup = z
  .object({
    id: id('seti'),
    // It has no capture.
    status: z.enum(intentStatuses).exclude(['requires_capture']),
    client_secret: z.string(),
    payment_method: paymentMethod.nullable(),
    last_setup_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullable(),
  })
  .transform(({ id, status, client_secret, payment_method, last_setup_error: error }): Payment => ({
    id,
    status,
    currency: 'cad',
    amountCents: 0,
    receivedCents: 0,
    clientSecret: client_secret,
    chargeId: null,
    method: payment_method,
    failureCode: error ? (error.decline_code ?? error.code ?? 'unknown') : null,
  }))

/** What a webhook's event is about. The object is read again, so that the order of events does not matter. */
export const event = z.object({
  id: id('evt'),
  type: z.string().max(100),
  data: z.object({
    object: z.looseObject({ id: z.string().max(200), object: z.string().max(100), payment_intent: z.string().max(200).nullish() }),
  }),
})
export type StripeEvent = { id: string; type: string; object: string; objectId: string; paymentId: string | null }

export const refund = z.object({ id: id('re'), status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']) })
export type Refund = z.output<typeof refund>

/** A card reader, and what it is doing: taking a payment, or the end of that. */
export const reader = z
  .object({
    id: id('tmr'),
    label: z.string(),
    status: z.string().nullish(),
    action: z
      .object({
        status: z.enum(['in_progress', 'succeeded', 'failed']),
        failure_code: z.string().nullish(),
        process_payment_intent: z.object({ payment_intent: z.string() }).nullish(),
      })
      .nullable(),
  })
  .transform(({ id, label, status, action }) => ({
    id,
    label,
    isOnline: status === 'online',
    action: action && {
      status: action.status,
      failureCode: action.failure_code ?? null,
      paymentId: action.process_payment_intent?.payment_intent ?? null,
    },
  }))
export type Reader = z.output<typeof reader>
/** What Stripe holds for the practice, by currency; in cents. */
const amounts = z.array(z.object({ amount: z.number().int(), currency: z.string() }))
export const balance = z.object({ available: amounts, pending: amounts })
export type Balance = z.output<typeof balance>

export const readers = z.object({ data: z.array(reader) })

const disputeStatuses = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
] as const

/** A payment that its cardholder disputes with the bank. */
export const dispute = z
  .object({
    id: z.string().max(200),
    amount: z.number().int(),
    payment_intent: z.string().nullable(),
    reason: z.string(),
    status: z.enum(disputeStatuses),
    evidence_details: z.object({ due_by: z.number().nullable() }),
  })
  .transform(({ id, amount, payment_intent, reason, status, evidence_details: { due_by } }) => ({
    id,
    amountCents: amount,
    paymentId: payment_intent,
    reason,
    status,
    /** By when evidence has to be submitted. */
    dueBy: due_by === null ? null : new Date(due_by * 1_000),
  }))
export type Dispute = z.output<typeof dispute>

export const payout = z
  .object({
    id: id('po'),
    amount: z.number().int(),
    currency: z.string(),
    status: z.enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']),
    automatic: z.boolean(),
    arrival_date: z.number(),
    created: z.number(),
    reconciliation_status: z.enum(['completed', 'in_progress', 'not_applicable']),
  })
  .transform(({ amount, automatic, arrival_date, created, reconciliation_status, ...payout }) => ({
    ...payout,
    amountCents: amount,
    isAutomatic: automatic,
    /** Midnight in UTC of the day on which the bank has it. */
    arrivesAt: new Date(arrival_date * 1_000),
    createdAt: new Date(created * 1_000),
    /** Whether Stripe lists all transactions of the payout; of a manual one it never does. */
    isComplete: reconciliation_status !== 'in_progress',
  }))
export type Payout = z.output<typeof payout>

/** A transaction on the account's balance. Money that leaves it is negative, a fee positive. */
export const transaction = z
  .object({
    id: id('txn'),
    amount: z.number().int(),
    fee: z.number().int(),
    net: z.number().int(),
    currency: z.string(),
    reporting_category: z.string().max(100),
    source: z.string().max(200).nullable(),
    created: z.number(),
  })
  .transform(({ id, amount, fee, net, currency, reporting_category, source, created }) => ({
    id,
    category: reporting_category,
    amountCents: amount,
    feeCents: fee,
    netCents: net,
    currency,
    sourceId: source,
    createdAt: new Date(created * 1_000),
  }))
export type Transaction = z.output<typeof transaction>

/** A page of a list, newest first. */
export const pageOf = <Shape extends z.ZodType>(shape: Shape) =>
  z.object({ data: z.array(shape), has_more: z.boolean() }).transform(({ data, has_more }) => ({ data, hasMore: has_more }))
export type Page<One> = { data: One[]; hasMore: boolean }
