/** What moves the account's balance: charges, refunds, disputes and payouts, each with its balance transaction. */
import { z } from 'zod'
import { flag, metadata, text, whole } from './form.ts'
import { StripeRefusal } from './refusal.ts'
import type { Fields, Store } from './store.ts'

/** 2.9 % and 30 cents, rounded half up. */
export const feeOf = (cents: number): number => Math.round(cents * 0.029) + 30
/** The fee of a dispute, whether it is won or lost. */
const disputeFee = 1_500
const daySeconds = 86_400

type Movement = {
  type: string
  category?: string
  amount: number
  fee: number
  source: string
  description: string | null
  currency: string
}

export function move(store: Store, { type, category = type, amount, fee, source, description, currency }: Movement): Fields {
  const details = fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }]
  return store.add('txn', 'balance_transaction', {
    amount,
    fee,
    net: amount - fee,
    fee_details: details,
    type,
    reporting_category: category,
    source,
    description,
    currency,
    exchange_rate: null,
    available_on: store.now() + 2 * daySeconds,
    status: 'pending',
    /** Which payout has it; left out of replies. */
    _payout: null,
  })
}

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const
export const newRefund = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: whole.optional(),
  reason: z.enum(reasons).optional(),
  metadata: metadata.default({}),
})

/** Refunds a charge, in full by default. @param isPresent whether the card is at the reader, which an Interac refund needs. */
export function refund(store: Store, given: z.output<typeof newRefund>, isPresent = false): Fields {
  const charge = chargeOf(store, given)
  const left = charge.amount - charge.amount_refunded
  const amount = given.amount ?? left
  if (charge.payment_method_details.type === 'interac_present' && !isPresent) {
    throw new StripeRefusal(400, 'Interac payments can only be refunded with the card present.', { code: 'charge_not_refundable' })
  }
  if (charge.disputed) throw new StripeRefusal(400, `Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' })
  if (left === 0) throw new StripeRefusal(400, `Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (amount < 1) throw new StripeRefusal(400, 'Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > left) {
    const message = `Refund amount ($${amount / 100}) is greater than unrefunded amount on charge ($${left / 100})`
    throw new StripeRefusal(400, message, { param: 'amount' })
  }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  const { currency } = charge
  const made = store.add('re', 'refund', {
    amount,
    currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: given.reason ?? null,
    metadata: given.metadata,
    status: 'succeeded',
    failure_reason: null,
  })
  made.balance_transaction = move(store, {
    type: 'refund',
    amount: -amount,
    fee: 0,
    source: made.id,
    description: 'REFUND FOR CHARGE',
    currency,
  }).id
  store.emit('refund.created', made)
  store.emit('charge.refunded', charge)
  return made
}

function chargeOf(store: Store, { charge, payment_intent }: { charge?: string | undefined; payment_intent?: string | undefined }): Fields {
  const id = charge ?? (payment_intent && store.get('payment_intent', payment_intent, 'payment_intent').latest_charge)
  if (!id) throw new StripeRefusal(400, 'There is no successful charge to work with.', { param: 'charge' })
  const found = store.get('charge', id, 'charge')
  if (found.status !== 'succeeded') throw new StripeRefusal(400, `Charge ${id} did not succeed.`, { param: 'charge' })
  return found
}

export const newDispute = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  reason: z.string().default('fraudulent'),
  /** In cents; all of the charge by default. */
  amount: z.int().positive().optional(),
  dueInDays: z.int().default(9),
})

export function dispute(store: Store, given: z.output<typeof newDispute>): Fields {
  const charge = chargeOf(store, given)
  const { currency } = charge
  const amount = given.amount ?? charge.amount - charge.amount_refunded
  charge.disputed = true
  const made = store.add('dp', 'dispute', {
    amount,
    currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: given.reason,
    status: 'needs_response',
    is_charge_refundable: false,
    evidence: {},
    evidence_details: { due_by: store.now() + given.dueInDays * daySeconds, has_evidence: false, past_due: false, submission_count: 0 },
    balance_transactions: [],
    payment_method_details: { type: 'card', card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' } },
  })
  store.emit('charge.dispute.created', made)
  withdraw(store, made, -amount, disputeFee, 'dispute', 'charge.dispute.funds_withdrawn')
  return made
}

function withdraw(store: Store, made: Fields, amount: number, fee: number, category: string, event: string): void {
  const description = amount < 0 ? `Chargeback withdrawal for ${made.charge}` : `Chargeback reversal for ${made.charge}`
  const moved = move(store, { type: 'adjustment', category, amount, fee, source: made.id, description, currency: made.currency })
  made.balance_transactions = [...made.balance_transactions, moved]
  store.emit(event, made)
}

export const changedDispute = z.strictObject({
  evidence: z.record(z.string(), z.string()).optional(),
  submit: flag.optional(),
  metadata: metadata.optional(),
})

/** As in Stripe's test mode, `uncategorized_text` decides: 'winning_evidence' or 'losing_evidence'. */
export function answerDispute(store: Store, id: string, given: z.output<typeof changedDispute>): Fields {
  const made = store.get('dispute', id)
  if (!['needs_response', 'warning_needs_response'].includes(made.status)) {
    throw new StripeRefusal(400, 'This dispute is already closed or under review.', { code: 'dispute_not_open' })
  }
  Object.assign(made.evidence, given.evidence)
  Object.assign(made.metadata, given.metadata)
  made.evidence_details.has_evidence = Object.keys(made.evidence).length > 0
  if (given.submit === false) return made
  made.status = 'under_review'
  made.evidence_details.submission_count += 1
  store.emit('charge.dispute.updated', made)
  if (made.evidence.uncategorized_text === 'winning_evidence') closeDispute(store, id, 'won')
  if (made.evidence.uncategorized_text === 'losing_evidence') closeDispute(store, id, 'lost')
  return made
}

export function closeDispute(store: Store, id: string, status: 'won' | 'lost'): Fields {
  const made = store.get('dispute', id)
  if (['won', 'lost'].includes(made.status)) throw new StripeRefusal(400, 'This dispute is already closed.', { code: 'dispute_not_open' })
  made.status = status
  if (status === 'won') {
    store.get('charge', made.charge).disputed = false
    withdraw(store, made, made.amount, 0, 'dispute_reversal', 'charge.dispute.funds_reinstated')
  }
  store.emit('charge.dispute.closed', made)
  return made
}

/** Pays out everything that no payout has yet. @returns null when that comes to nothing. */
export function payOut(store: Store): Fields | null {
  const open = store.list('balance_transaction').filter(({ _payout }) => _payout === null)
  const amount = open.reduce((sum, { net }) => sum + net, 0)
  if (amount <= 0) return null
  const made = store.add('po', 'payout', {
    amount,
    arrival_date: store.now() + daySeconds,
    automatic: true,
    currency: 'cad',
    description: 'STRIPE PAYOUT',
    failure_code: null,
    method: 'standard',
    reconciliation_status: 'in_progress',
    status: 'in_transit',
    type: 'bank_account',
  })
  const { id, currency, description } = made
  store.emit('payout.created', made)
  const own = move(store, { type: 'payout', amount: -amount, fee: 0, source: id, description, currency })
  for (const one of [...open, own]) Object.assign(one, { _payout: id, status: 'available' })
  Object.assign(made, { status: 'paid', reconciliation_status: 'completed', balance_transaction: own.id })
  store.emit('payout.paid', made)
  store.emit('payout.reconciliation_completed', made)
  return made
}
