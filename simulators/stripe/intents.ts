/** Customers' cards, payment intents and setup intents. */
import { z } from 'zod'
import { cardWithNumber, expired, type TestCard, testCards } from './cards.ts'
import { flag, metadata, text, texts, whole } from './form.ts'
import { dispute, feeOf, move, newDispute } from './money.ts'
import { missing, StripeRefusal } from './refusal.ts'
import { type Fields, newId, type Store } from './store.ts'

type CardKind = 'card' | 'card_present' | 'interac_present'

const typedCard = z.strictObject({ number: text, exp_month: whole, exp_year: whole, cvc: text.optional() })
export const newMethod = z.strictObject({
  type: z.literal('card'),
  card: typedCard,
  billing_details: z.record(z.string(), z.unknown()).optional(),
  metadata: metadata.optional(),
  allow_redisplay: text.optional(),
})
const methodTypes = texts.default(['card'])
const automatic = z.strictObject({ enabled: flag, allow_redirects: text.optional() }).optional()

export const changedIntent = z.strictObject({
  amount: whole.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  receipt_email: text.optional(),
  payment_method: text.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session', '']).optional(),
  statement_descriptor_suffix: text.optional(),
})
export const confirmation = z.strictObject({
  payment_method: text.optional(),
  payment_method_data: newMethod.optional(),
  off_session: flag.optional(),
  return_url: text.optional(),
  receipt_email: text.optional(),
  error_on_requires_action: flag.optional(),
  /** From a page. */
  client_secret: text.optional(),
  key: text.optional(),
  use_stripe_sdk: flag.optional(),
})
export const newIntent = changedIntent.extend({
  amount: whole,
  currency: text,
  allowed_payment_method_types: methodTypes,
  automatic_payment_methods: automatic,
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: flag.optional(),
  ...confirmation.pick({ payment_method_data: true, off_session: true, return_url: true, error_on_requires_action: true }).shape,
})
export const newSetup = z.strictObject({
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.default({}),
  payment_method: text.optional(),
  allowed_payment_method_types: methodTypes,
  automatic_payment_methods: automatic,
  usage: z.enum(['off_session', 'on_session']).default('off_session'),
  confirm: flag.optional(),
})

/** The payment method with this id or test token, or of the typed card. */
function findMethod(store: Store, { payment_method: id, payment_method_data: typed }: Fields): Fields | null {
  if (typed) return addMethod(store, typed)
  if (!id) return null
  const known = testCards[id]
  return known
    ? addCard(store, known, 'card', { exp_month: 12, exp_year: new Date(store.now() * 1_000).getFullYear() + 3 })
    : store.get('payment_method', id, 'payment_method')
}

/** @throws StripeRefusal for a number that no test card has, or an expiry in the past. */
export function addMethod(store: Store, { card, billing_details: billing }: z.output<typeof newMethod>): Fields {
  const { number, exp_month, exp_year } = card
  const known = cardWithNumber(number)
  if (!known)
    throw new StripeRefusal(402, 'Your card number is incorrect.', { type: 'card_error', code: 'incorrect_number', param: 'number' })
  const year = exp_year < 100 ? 2_000 + exp_year : exp_year
  if (exp_month < 1 || exp_month > 12) {
    throw new StripeRefusal(402, 'Your card’s expiration month is invalid.', {
      type: 'card_error',
      code: 'invalid_expiry_month',
      param: 'exp_month',
    })
  }
  if (Date.UTC(year, exp_month) <= store.now() * 1_000) {
    throw new StripeRefusal(402, 'Your card’s expiration year is invalid.', {
      type: 'card_error',
      code: 'invalid_expiry_year',
      param: 'exp_year',
    })
  }
  return { ...addCard(store, known, 'card', { exp_month, exp_year: year }, billing) }
}

export function addCard(
  store: Store,
  known: TestCard,
  type: CardKind,
  expiry: { exp_month: number; exp_year: number },
  billing: Fields = {},
): Fields {
  const made = store.add('pm', 'payment_method', {
    type,
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, ...billing },
    [type]: {
      brand: known.brand,
      display_brand: known.brand,
      last4: known.number.slice(-4),
      ...expiry,
      country: 'CA',
      fingerprint: `print${known.number.slice(-8)}`,
      funding: known.brand === 'interac' ? 'debit' : 'credit',
      ...(type === 'card' && { checks: { cvc_check: 'pass' }, wallet: null }),
    },
    customer: null,
  })
  store.cards.set(made.id, known)
  return made
}

/** Saves a card for a customer. @throws StripeRefusal 402 for a card that is refused at once. */
export function attach(store: Store, id: string, customer: string): Fields {
  store.get('customer', customer, 'customer')
  const method = findMethod(store, { payment_method: id })!
  const card = store.cards.get(method.id)!
  if (card.isRefusedAtOnce && card.outcome) {
    const { message, ...outcome } = card.outcome
    throw new StripeRefusal(402, message, { type: 'card_error', ...outcome })
  }
  const kept = store.get('payment_method', method.id)
  kept.customer = customer
  store.emit('payment_method.attached', kept)
  return kept
}

export function detach(store: Store, id: string): Fields {
  const method = store.get('payment_method', id)
  method.customer = null
  store.emit('payment_method.detached', method)
  return method
}

const checkAmount = (amount: number): void => {
  if (amount < 50) throw new StripeRefusal(400, 'Amount must be at least $0.50 cad', { code: 'amount_too_small', param: 'amount' })
  if (amount > 99_999_999)
    throw new StripeRefusal(400, 'Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' })
}

export function createIntent(store: Store, given: z.output<typeof newIntent>): Fields {
  checkAmount(given.amount)
  if (given.customer) store.get('customer', given.customer, 'customer')
  const { confirm, payment_method_data, off_session, return_url: _, error_on_requires_action: _error, ...fields } = given
  const intent = store.add('pi', 'payment_intent', {
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    confirmation_method: 'automatic',
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    receipt_email: null,
    setup_future_usage: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    automatic_payment_methods: null,
    processing: null,
    status: 'requires_payment_method',
    ...fields,
    payment_method: null,
    payment_method_types: given.allowed_payment_method_types,
    metadata: given.metadata ?? {},
  })
  intent.client_secret = `${intent.id}_secret_${newId('x').slice(2)}`
  store.emit('payment_intent.created', intent)
  const method = findMethod(store, given)
  if (method) Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' })
  return confirm ? confirmIntent(store, intent.id, { payment_method_data, off_session }) : intent
}

const unexpected = (intent: Fields, wanted: string) =>
  new StripeRefusal(400, `You cannot ${wanted} this ${intent.object} because it has a status of ${intent.status}.`, {
    code: `${intent.object}_unexpected_state`,
    [intent.object as 'payment_intent']: intent,
  })

export function changeIntent(store: Store, id: string, given: z.output<typeof changedIntent>): Fields {
  const intent = store.get('payment_intent', id)
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) throw unexpected(intent, 'update')
  if (given.amount !== undefined) checkAmount(given.amount)
  const { metadata: more, ...fields } = given
  Object.assign(intent, fields)
  Object.assign(intent.metadata, more)
  return intent
}

/** Charges the card. @throws StripeRefusal 402 when it is declined. */
export function confirmIntent(store: Store, id: string, given: Partial<z.output<typeof confirmation>>): Fields {
  const intent = store.get('payment_intent', id)
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) throw unexpected(intent, 'confirm')
  const method = findMethod(store, {
    ...given,
    payment_method: given.payment_method ?? (given.payment_method_data ? null : intent.payment_method),
  })
  if (!method)
    throw new StripeRefusal(400, 'You cannot confirm this PaymentIntent because it’s missing a payment method.', {
      code: 'payment_intent_unexpected_state',
    })
  if (method.customer && method.customer !== intent.customer) {
    throw new StripeRefusal(400, 'The provided PaymentMethod belongs to another customer.', { param: 'payment_method' })
  }
  intent.payment_method = method.id
  const card = store.cards.get(method.id)!
  if (card.needsAuthentication && given.off_session) {
    return declineWith(store, intent, {
      code: 'authentication_required',
      decline_code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    })
  }
  if (card.needsAuthentication) {
    Object.assign(intent, {
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
    })
    store.emit('payment_intent.requires_action', intent)
    return intent
  }
  return settle(store, intent)
}

const hasExpired = (store: Store, id: string): boolean => {
  const { card } = store.get('payment_method', id)
  return card !== undefined && Date.UTC(card.exp_year, card.exp_month) <= store.now() * 1_000
}

/** Charges the intent's card as it is, with any authentication done. */
function settle(store: Store, intent: Fields): Fields {
  const card = store.cards.get(intent.payment_method)!
  const outcome = hasExpired(store, intent.payment_method) ? expired : card.outcome
  if (outcome) return declineWith(store, intent, outcome)
  const charge = addCharge(store, intent, null)
  charge.balance_transaction = move(store, {
    type: 'charge',
    amount: intent.amount,
    fee: feeOf(intent.amount),
    source: charge.id,
    description: intent.description,
    currency: intent.currency,
  }).id
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    last_payment_error: null,
  })
  if (intent.setup_future_usage && intent.customer) attach(store, intent.payment_method, intent.customer)
  store.emit('charge.succeeded', charge)
  store.emit('payment_intent.succeeded', intent)
  if (card.isDisputed) dispute(store, newDispute.parse({ charge: charge.id }))
  return intent
}

function declineWith(store: Store, intent: Fields, { code, decline_code, message }: NonNullable<TestCard['outcome']>): never {
  const charge = addCharge(store, intent, { code, decline_code, message })
  const method = store.get('payment_method', intent.payment_method)
  const error = { type: 'card_error' as const, code, ...(decline_code && { decline_code }), charge: charge.id }
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    next_action: null,
    last_payment_error: { ...error, message, payment_method: method },
  })
  store.emit('charge.failed', charge)
  store.emit('payment_intent.payment_failed', intent)
  throw new StripeRefusal(402, message, { ...error, payment_intent: intent })
}

function addCharge(store: Store, intent: Fields, failure: TestCard['outcome'] | null): Fields {
  const method = store.get('payment_method', intent.payment_method)
  const { type } = method
  return store.add('ch', 'charge', {
    amount: intent.amount,
    amount_captured: failure ? 0 : intent.amount,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: !failure,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    metadata: { ...intent.metadata },
    outcome: failure
      ? {
          type: 'issuer_declined',
          network_status: 'declined_by_network',
          reason: failure.decline_code ?? failure.code,
          seller_message: failure.message,
        }
      : { type: 'authorized', network_status: 'approved_by_network', risk_level: 'normal', seller_message: 'Payment complete.' },
    paid: !failure,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type, [type]: { ...method[type], ...(type !== 'card' && { receipt: null }) } },
    receipt_email: intent.receipt_email,
    refunded: false,
    status: failure ? 'failed' : 'succeeded',
  })
}

/** Ends the authentication that an intent waits for, as its cardholder does on the bank's page. */
export function authenticate(store: Store, id: string, isSuccessful: boolean): Fields {
  const intent = store.objects.get(id)
  if (!intent) throw missing('intent', id)
  if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate')
  if (intent.object === 'setup_intent') {
    return isSuccessful
      ? completeSetup(store, intent)
      : Object.assign(intent, { status: 'requires_payment_method', next_action: null, payment_method: null })
  }
  if (isSuccessful) return settle(store, intent)
  return declineWith(store, intent, {
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  })
}

export function cancelIntent(store: Store, id: string, reason: string | undefined): Fields {
  const intent = store.get('payment_intent', id)
  if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw unexpected(intent, 'cancel')
  Object.assign(intent, { status: 'canceled', canceled_at: store.now(), cancellation_reason: reason ?? null, next_action: null })
  store.emit('payment_intent.canceled', intent)
  return intent
}

export function createSetup(store: Store, given: z.output<typeof newSetup>): Fields {
  if (given.customer) store.get('customer', given.customer, 'customer')
  const { confirm, ...fields } = given
  const intent = store.add('seti', 'setup_intent', {
    automatic_payment_methods: null,
    cancellation_reason: null,
    customer: null,
    description: null,
    last_setup_error: null,
    next_action: null,
    status: 'requires_payment_method',
    ...fields,
    payment_method: null,
    payment_method_types: given.allowed_payment_method_types,
  })
  intent.client_secret = `${intent.id}_secret_${newId('x').slice(2)}`
  store.emit('setup_intent.created', intent)
  return confirm ? confirmSetup(store, intent.id, given) : intent
}

/** Saves the card. @throws StripeRefusal 402 when it is refused. */
export function confirmSetup(store: Store, id: string, given: Partial<z.output<typeof confirmation>>): Fields {
  const intent = store.get('setup_intent', id)
  if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status)) throw unexpected(intent, 'confirm')
  const method = findMethod(store, given)
  if (!method)
    throw new StripeRefusal(400, 'You cannot confirm this SetupIntent because it’s missing a payment method.', {
      code: 'setup_intent_unexpected_state',
    })
  intent.payment_method = method.id
  if (!store.cards.get(method.id)!.needsAuthentication) return completeSetup(store, intent)
  return Object.assign(intent, {
    status: 'requires_action',
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
  })
}

function completeSetup(store: Store, intent: Fields): Fields {
  const card = store.cards.get(intent.payment_method)!
  if (card.isRefusedAtOnce && card.outcome) {
    const { message, ...outcome } = card.outcome
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_setup_error: { type: 'card_error', ...outcome, message },
      payment_method: null,
    })
    store.emit('setup_intent.setup_failed', intent)
    throw new StripeRefusal(402, message, { type: 'card_error', ...outcome, setup_intent: intent })
  }
  if (intent.customer) attach(store, intent.payment_method, intent.customer)
  Object.assign(intent, { status: 'succeeded', next_action: null, last_setup_error: null })
  store.emit('setup_intent.succeeded', intent)
  return intent
}

export function cancelSetup(store: Store, id: string): Fields {
  const intent = store.get('setup_intent', id)
  if (['succeeded', 'canceled'].includes(intent.status)) throw unexpected(intent, 'cancel')
  Object.assign(intent, { status: 'canceled', cancellation_reason: null, next_action: null })
  store.emit('setup_intent.canceled', intent)
  return intent
}
