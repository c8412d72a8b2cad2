/**
 * Takes card payments through Stripe with the vendor's package, pinned to one version of the API. A refusal or an outage is a value, never thrown. Every
 * write carries an idempotency key that the caller has stored, so repeating a call never does it twice.
 */
import type { Stripe } from 'stripe'
import type { z } from 'zod'
import { observeCall } from '../calls.ts'
import { failureFrom, outcomeOf, type Result, uncertain } from './failure.ts'
import {
  balance,
  type Balance,
  customer,
  dispute,
  type Dispute,
  event,
  type Page,
  pageOf,
  payment,
  type Payment,
  type PaymentMethod,
  paymentMethod,
  payout,
  type Payout,
  type Reader,
  reader,
  readers,
  type Refund,
  refund,
  setup,
  type StripeEvent,
  transaction,
  type Transaction,
} from './shapes.ts'

export type StripeOptions = {
  secretKey: string
  /** The secret of the webhook's endpoint; without it no event is accepted. */
  webhookSecret?: string | undefined
  /** Stripe's by default. */
  baseUrl?: string | undefined
  /** For one attempt, including the response. 30 by default. */
  timeoutSeconds?: number
}

export type NewPayment = {
  amountCents: number
  /** Null: the card is presented at a reader, and its owner is not known to Stripe. */
  customerId: string | null
  /** On the dashboard and, if Stripe sends them, on receipts. */
  description: string
  /** Our id of the payment, by which it is found on the dashboard. */
  reference: string
  /** Keeps the card for later payments; the patient has agreed to that. */
  savesCard: boolean
  /** Whether it is taken at a reader, where Interac works too. */
  isInPerson: boolean
}

export type StripeClient = {
  /** What Stripe holds for the practice and has not paid out. */
  balance(): Promise<Result<Balance>>
  /** @param key the same key makes the same customer. */
  createCustomer(given: { name: string; email: string | null; reference: string }, key: string): Promise<Result<{ id: string }>>
  /** A payment that a page or a reader confirms later; nothing is charged yet. */
  createPayment(given: NewPayment, key: string): Promise<Result<Payment>>
  /** Keeps a card for later, once a page has confirmed it; nothing is charged. It is read as a payment of nothing. */
  createSetup(given: { customerId: string; description: string; reference: string }, key: string): Promise<Result<Payment>>
  /** @param id of a payment or setup intent. */
  findPayment(id: string): Promise<Result<Payment>>
  /** Charges a saved card of the payment's customer, without the patient. Declined with the bank's reason as `code`. @param key the same key charges once. */
  chargeCard(given: { paymentId: string; methodId: string }, key: string): Promise<Result<Payment>>
  /** The practice's card readers, of which it has a few. */
  listReaders(): Promise<Result<Reader[]>>
  findReader(id: string): Promise<Result<Reader>>
  /** Asks for a card at a reader. Refused with `terminal_reader_busy` or `terminal_reader_offline`. */
  collect(given: { readerId: string; paymentId: string }, key: string): Promise<Result<Reader>>
  /** Ends what a reader is doing. */
  cancelReader(id: string): Promise<Result<Reader>>
  /** A saved card, with the expiry that its bank may have changed. */
  findCard(id: string): Promise<Result<PaymentMethod>>
  /** Forgets a saved card, which can then no longer be charged. */
  removeCard(id: string): Promise<Result<PaymentMethod>>
  /** Gives back part or all of a payment to its card. @param key the same key refunds once. */
  refund(given: { paymentId: string; amountCents: number; reference: string }, key: string): Promise<Result<Refund>>
  findDispute(id: string): Promise<Result<Dispute>>
  /** Submits evidence to the bank, which can be done once. `evidence`: texts by Stripe's names, 150,000 characters together. @param key the same key submits once. */
  submitEvidence(id: string, evidence: Record<string, string>, key: string): Promise<Result<Dispute>>
  /** Gives a dispute up, which is then lost. Irreversible. */
  closeDispute(id: string): Promise<Result<Dispute>>
  findPayout(id: string): Promise<Result<Payout>>
  /** Payouts since a time, a hundred at a time, newest first. @param after the last one of the page before. */
  listPayouts(since: Date, after?: string): Promise<Result<Page<Payout>>>
  /** The transactions that an automatic payout holds, a hundred at a time; the payout itself is one. @param after the last one of the page before. */
  listTransactions(payoutId: string, after?: string): Promise<Result<Page<Transaction>>>
  /** Makes a payment impossible. Refused with `payment_intent_unexpected_state` once it succeeded or is being processed. */
  cancelPayment(id: string): Promise<Result<Payment>>
  /** Null: Stripe has not signed it, or it was signed more than five minutes before `now`. */
  readEvent(payload: string, signature: string, now: Date): Promise<StripeEvent | null>
}

/** The version that the package's types describe. Events come in the version of the endpoint: only their ids are used. */
const apiVersion = '2026-10-28.endive'
const currency = 'cad'
/** Of lists: as many as Stripe gives at a time. */
const pageSize = 100
const payoutPage = pageOf(payout)
const transactionPage = pageOf(transaction)
/** Seconds between the signature and its arrival. */
const tolerance = 300

/** The package is loaded with the first call, because a practice without cards does not need it. */
const loadPackage = async () => (await import('stripe')).default

/** @throws when `baseUrl` is no http(s) address. */
export function createStripe({ secretKey, webhookSecret, baseUrl, timeoutSeconds = 30 }: StripeOptions): StripeClient {
  const address = baseUrl === undefined ? {} : addressOf(baseUrl)
  let made: Promise<Stripe> | undefined
  const client = () =>
    (made ??= loadPackage().then(
      (Package) =>
        new Package(secretKey, { apiVersion, ...address, timeout: timeoutSeconds * 1_000, maxNetworkRetries: 0, telemetry: false }),
    ))

  const ask = <Shape extends z.ZodType>(shape: Shape, call: (stripe: Stripe) => Promise<unknown>): Promise<Result<z.output<Shape>>> =>
    observeCall({ vendor: 'stripe', outcomeOf }, async () => {
      try {
        const reply = shape.safeParse(await call(await client()))
        return reply.success ? { ok: true, value: reply.data } : uncertain('Stripe’s response could not be read.')
      } catch (error) {
        return failureFrom(error)
      }
    })
  const expand = ['payment_method']

  return {
    balance: () => ask(balance, (stripe) => stripe.balance.retrieve()),
    createCustomer: ({ name, email, reference }, key) =>
      ask(customer, (stripe) =>
        stripe.customers.create({ name, ...(email && { email }), metadata: { reference } }, { idempotencyKey: key }),
      ),
    createPayment: ({ amountCents, customerId, description, reference, savesCard, isInPerson }, key) =>
      ask(payment, (stripe) =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency,
            ...(customerId !== null && { customer: customerId }),
            description,
            metadata: { reference },
            allowed_payment_method_types: isInPerson ? ['card_present', 'interac_present'] : ['card'],
            ...(savesCard && { setup_future_usage: 'off_session' as const }),
            expand,
          },
          { idempotencyKey: key },
        ),
      ),
    createSetup: ({ customerId, description, reference }, key) =>
      ask(setup, (stripe) =>
        stripe.setupIntents.create(
          {
            customer: customerId,
            description,
            metadata: { reference },
            allowed_payment_method_types: ['card'],
            usage: 'off_session',
            expand,
          },
          { idempotencyKey: key },
        ),
      ),
    findPayment: (id) =>
      isSetup(id)
        ? ask(setup, (stripe) => stripe.setupIntents.retrieve(id, { expand }))
        : ask(payment, (stripe) => stripe.paymentIntents.retrieve(id, { expand })),
    chargeCard: ({ paymentId, methodId }, key) =>
      ask(payment, (stripe) =>
        stripe.paymentIntents.confirm(paymentId, { payment_method: methodId, off_session: true, expand }, { idempotencyKey: key }),
      ),
    listReaders: async () => {
      const found = await ask(readers, (stripe) => stripe.terminal.readers.list({ limit: 100 }))
      return found.ok ? { ok: true, value: found.value.data } : found
    },
    findReader: (id) => ask(reader, (stripe) => stripe.terminal.readers.retrieve(id)),
    collect: ({ readerId, paymentId }, key) =>
      ask(reader, (stripe) =>
        stripe.terminal.readers.processPaymentIntent(readerId, { payment_intent: paymentId }, { idempotencyKey: key }),
      ),
    cancelReader: (id) => ask(reader, (stripe) => stripe.terminal.readers.cancelAction(id, {}, { idempotencyKey: crypto.randomUUID() })),
    findCard: (id) => ask(paymentMethod, (stripe) => stripe.paymentMethods.retrieve(id)),
    removeCard: (id) => ask(paymentMethod, (stripe) => stripe.paymentMethods.detach(id, {}, { idempotencyKey: `remove ${id}` })),
    refund: ({ paymentId, amountCents, reference }, key) =>
      ask(refund, (stripe) =>
        stripe.refunds.create({ payment_intent: paymentId, amount: amountCents, metadata: { reference } }, { idempotencyKey: key }),
      ),
    findDispute: (id) => ask(dispute, (stripe) => stripe.disputes.retrieve(id)),
    cancelPayment: (id) =>
      isSetup(id)
        ? ask(setup, (stripe) => stripe.setupIntents.cancel(id, { expand }, { idempotencyKey: `cancel ${id}` }))
        : ask(payment, (stripe) => stripe.paymentIntents.cancel(id, { expand }, { idempotencyKey: `cancel ${id}` })),
    submitEvidence: (id, evidence, key) =>
      ask(dispute, (stripe) => stripe.disputes.update(id, { evidence, submit: true }, { idempotencyKey: key })),
    closeDispute: (id) => ask(dispute, (stripe) => stripe.disputes.close(id, {}, { idempotencyKey: `close ${id}` })),
    findPayout: (id) => ask(payout, (stripe) => stripe.payouts.retrieve(id)),
    listPayouts: (since, after) =>
      ask(payoutPage, (stripe) =>
        stripe.payouts.list({
          limit: pageSize,
          created: { gte: Math.floor(since.getTime() / 1_000) },
          ...(after && { starting_after: after }),
        }),
      ),
    listTransactions: (payoutId, after) =>
      ask(transactionPage, (stripe) =>
        stripe.balanceTransactions.list({ limit: pageSize, payout: payoutId, ...(after && { starting_after: after }) }),
      ),
    async readEvent(payload, signature, now) {
      if (webhookSecret === undefined) return null
      try {
        const { webhooks } = await client()
        const read = event.safeParse(webhooks.constructEvent(payload, signature, webhookSecret, tolerance, undefined, now.getTime()))
        if (!read.success) return null
        const { id, type, data } = read.data
        const { id: objectId, object, payment_intent: paymentId } = data.object
        const isPayment = object === 'payment_intent' || object === 'setup_intent'
        return { id, type, object, objectId, paymentId: isPayment ? objectId : (paymentId ?? null) }
      } catch {
        return null
      }
    },
  }
}

const isSetup = (id: string): boolean => id.startsWith('seti_')

function addressOf(baseUrl: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`Stripe's base URL must be http or https, not ${baseUrl}`)
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), protocol: protocol === 'https:' ? 'https' : 'http' }
}
