import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../http.ts'
import { feeOf } from './money.ts'
import { startStripeSimulator, stripeCredentials, type StripeSimulator } from './server.ts'

const { secretKey, publishableKey, webhookSecret } = stripeCredentials

let simulator: StripeSimulator
let stripe: Stripe
let receiver: Server | undefined

beforeEach(async () => {
  simulator = await startStripeSimulator()
  stripe = packageWith(secretKey)
})
afterEach(async () => {
  receiver?.close()
  receiver = undefined
  await simulator.stop()
})

/** The package as it is, with another address. */
function packageWith(key: string): Stripe {
  const { hostname, port } = new URL(simulator.url)
  return new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0, timeout: 2_000, telemetry: false })
}

const errorOf = (call: Promise<unknown>): Promise<InstanceType<typeof Stripe.errors.StripeError>> =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error: unknown) => error as InstanceType<typeof Stripe.errors.StripeError>,
  )

const payment = { amount: 20_000, currency: 'cad', allowed_payment_method_types: ['card'] } satisfies Stripe.PaymentIntentCreateParams
const pay = (payment_method = 'pm_card_visa') => stripe.paymentIntents.create({ ...payment, payment_method, confirm: true })

/** An endpoint that answers with these statuses in turn, then 200. */
async function receive(...statuses: number[]): Promise<{ payload: string; signature: string }[]> {
  const posts: { payload: string; signature: string }[] = []
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      posts.push({ payload: Buffer.concat(parts).toString(), signature: String(request.headers['stripe-signature']) })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  simulator.setWebhook(`http://127.0.0.1:${await listen(receiver, 0, '127.0.0.1')}/hook`)
  return posts
}

test('charges a card of the package, with its fee (issue 29)', async () => {
  const customer = await stripe.customers.create({ name: 'Avery Chen', email: 'avery@example.com' })
  const created = await stripe.paymentIntents.create({ ...payment, customer: customer.id, metadata: { payment: '1' } })
  expect(created).toMatchObject({
    status: 'requires_payment_method',
    metadata: { payment: '1' },
    client_secret: expect.stringContaining(created.id),
  })
  const paid = await stripe.paymentIntents.confirm(created.id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge.balance_transaction'],
  })
  const charge = paid.latest_charge as Stripe.Charge
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 20_000 })
  expect(charge).toMatchObject({ paid: true, payment_method_details: { card: { brand: 'visa', last4: '4242' } } })
  expect(charge.balance_transaction).toMatchObject({ amount: 20_000, fee: 610, net: 19_390, type: 'charge' })
  expect([50, 100, 1_000, 9_999].map(feeOf)).toEqual([31, 33, 59, 320])
  expect((await stripe.paymentIntents.list({ customer: customer.id })).data).toHaveLength(1)
})

test.each([
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
] as const)('declines %s as the package reads it (issue 29)', async (method, code, decline_code) => {
  const error = await errorOf(pay(method))
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
  expect(error).toMatchObject({ code, decline_code, statusCode: 402 })
  const [intent] = (await stripe.paymentIntents.list()).data
  expect(intent).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code } })
  expect(await stripe.paymentIntents.confirm(intent!.id, { payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' })
  expect(simulator.events.map(({ type }) => type)).toContain('payment_intent.payment_failed')
})

test('refuses what Stripe refuses, with its codes (issue 29)', async () => {
  expect(await errorOf(stripe.paymentIntents.create({ ...payment, amount: 49 }))).toMatchObject({ code: 'amount_too_small' })
  expect(await errorOf(stripe.paymentIntents.retrieve('pi_0'))).toMatchObject({ code: 'resource_missing', statusCode: 404 })
  expect(await errorOf(stripe.customers.create({ nickname: 'A' } as never))).toMatchObject({ code: 'parameter_unknown', param: 'nickname' })
  expect(await errorOf(packageWith('sk_test_another').balance.retrieve())).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  const { id } = await stripe.paymentIntents.create(payment)
  expect(await stripe.paymentIntents.cancel(id)).toMatchObject({ status: 'canceled' })
  expect(await errorOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
})

test('answers an idempotency key once, and refuses it for another request (issue 29)', async () => {
  const again = { idempotencyKey: 'payment-1' }
  // The package repeats a call whose connection broke once by itself.
  simulator.fault({ kind: 'dropAfter', times: 2 })
  expect(await errorOf(stripe.paymentIntents.create(payment, again))).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  const first = await stripe.paymentIntents.create(payment, again)
  expect(await stripe.paymentIntents.create(payment, again)).toMatchObject({ id: first.id })
  expect(simulator.list('payment_intent')).toHaveLength(1)
  const error = await errorOf(stripe.paymentIntents.create({ ...payment, amount: 100 }, again))
  expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
})

test('saves, lists and removes cards, and charges them without the patient (issue 29)', async () => {
  const customer = (await stripe.customers.create({ name: 'Avery Chen' })).id
  const { payment_method: saved } = await stripe.setupIntents.create({ customer, payment_method: 'pm_card_visa', confirm: true })
  const { data } = await stripe.paymentMethods.list({ customer, type: 'card' })
  expect(data).toMatchObject([{ id: saved, card: { last4: '4242', exp_month: 12 } }])
  const charge = { ...payment, customer, off_session: true, confirm: true } as const
  expect(await stripe.paymentIntents.create({ ...charge, payment_method: saved as string })).toMatchObject({ status: 'succeeded' })
  const strict = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
  expect(await errorOf(stripe.paymentIntents.create({ ...charge, payment_method: strict.id }))).toMatchObject({
    code: 'authentication_required',
  })
  expect(await errorOf(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }))).toMatchObject({ code: 'card_declined' })
  expect(await stripe.paymentMethods.detach(saved as string)).toMatchObject({ customer: null })
  expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1)
})

test('refunds in parts, and at most what was paid (issue 29)', async () => {
  const { id } = await pay()
  expect(await stripe.refunds.create({ payment_intent: id, amount: 5_000 })).toMatchObject({ status: 'succeeded', amount: 5_000 })
  expect(await errorOf(stripe.refunds.create({ payment_intent: id, amount: 15_001 }))).toMatchObject({ param: 'amount' })
  await stripe.refunds.create({ payment_intent: id })
  expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_already_refunded' })
  expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([{ amount_refunded: 20_000, refunded: true }])
})

test('pays out charges, refunds, disputes and fees to the cent (issue 29)', async () => {
  expect(simulator.payOut()).toBeNull()
  const { id } = await pay()
  await stripe.refunds.create({ payment_intent: id, amount: 1_000 })
  await pay('pm_card_createDispute')
  await pay()
  await pay()
  const { id: payoutId, amount } = simulator.payOut()!
  const moved = await stripe.balanceTransactions.list({ payout: payoutId, limit: 100 })
  const others = moved.data.filter(({ type }) => type !== 'payout')
  expect(moved.data.filter(({ type }) => type === 'payout')).toMatchObject([{ amount: -amount, net: -amount }])
  expect(others.reduce((sum, { net }) => sum + net, 0)).toBe(amount)
  expect(amount).toBe(4 * (20_000 - 610) - 1_000 - 20_000 - 1_500)
  expect(await stripe.payouts.retrieve(payoutId)).toMatchObject({ status: 'paid', reconciliation_status: 'completed' })
  expect(simulator.payOut()).toBeNull()
})

test('disputes a payment, takes evidence and decides (issue 29)', async () => {
  const { id } = await pay()
  const made = simulator.dispute({ payment_intent: id, reason: 'product_not_received' })
  expect(await stripe.disputes.retrieve(made.id)).toMatchObject({
    status: 'needs_response',
    amount: 20_000,
    reason: 'product_not_received',
  })
  expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_disputed' })
  const staged = await stripe.disputes.update(made.id, { evidence: { customer_name: 'Avery Chen' }, submit: false })
  expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true, submission_count: 0 } })
  await stripe.disputes.update(made.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  expect(await stripe.disputes.retrieve(made.id)).toMatchObject({ status: 'won', evidence: { customer_name: 'Avery Chen' } })
  const other = simulator.dispute({ payment_intent: (await pay()).id })
  expect(await stripe.disputes.close(other.id)).toMatchObject({ status: 'lost' })
  expect(simulator.events.filter(({ type }) => type === 'charge.dispute.closed')).toHaveLength(2)
})

test('keeps payments, disputes and the answers to keys across a restart when a file is set (issue 29)', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refyne-stripe-'))
  const restart = async () => {
    await simulator.stop()
    simulator = await startStripeSimulator({ file: path.join(folder, 'stripe.json') })
    stripe = packageWith(secretKey)
  }
  await restart()
  const create = () =>
    stripe.paymentIntents.create({ ...payment, payment_method: 'pm_card_visa', confirm: true }, { idempotencyKey: 'one' })
  const { id } = await create()
  const dispute = simulator.dispute({ payment_intent: id })
  await restart()
  expect(await create()).toMatchObject({ id })
  const answered = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true })
  expect(answered).toMatchObject({ charge: dispute.charge, evidence_details: { submission_count: 1 } })
  await rm(folder, { recursive: true })
})

test('takes cards at a reader that the server drives (issue 29)', async () => {
  const reader = await stripe.terminal.readers.create({ registration_code: 'simulated-wpe', label: 'Front desk' })
  const inPerson = {
    ...payment,
    allowed_payment_method_types: ['card_present', 'interac_present'],
  } satisfies Stripe.PaymentIntentCreateParams
  const { id } = await stripe.paymentIntents.create(inPerson)
  const busy = await stripe.terminal.readers.processPaymentIntent(reader.id, { payment_intent: id })
  expect(busy.action).toMatchObject({ type: 'process_payment_intent', status: 'in_progress' })
  expect(await errorOf(stripe.terminal.readers.processPaymentIntent(reader.id, { payment_intent: id }))).toMatchObject({
    code: 'terminal_reader_busy',
  })
  const declined = await stripe.testHelpers.terminal.readers.presentPaymentMethod(reader.id, {
    card_present: { number: '4000000000000002' },
  })
  expect(declined.action).toMatchObject({ status: 'failed', failure_code: 'card_declined' })
  await stripe.terminal.readers.processPaymentIntent(reader.id, { payment_intent: id })
  await stripe.testHelpers.terminal.readers.presentPaymentMethod(reader.id, {
    type: 'interac_present',
    interac_present: { number: '4506445006931933' },
  })
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded' })
  expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: 'charge_not_refundable' })
  await stripe.terminal.readers.refundPayment(reader.id, { payment_intent: id, amount: 500 })
  await stripe.testHelpers.terminal.readers.presentPaymentMethod(reader.id)
  expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 500 }])
  const other = await stripe.paymentIntents.create(inPerson)
  await stripe.terminal.readers.processPaymentIntent(reader.id, { payment_intent: other.id })
  expect(await stripe.terminal.readers.cancelAction(reader.id)).toMatchObject({ action: null })
  simulator.change(reader.id, { status: 'offline' })
  expect(await errorOf(stripe.terminal.readers.processPaymentIntent(reader.id, { payment_intent: other.id }))).toMatchObject({
    code: 'terminal_reader_offline',
  })
})

test('posts events with a signature that the package accepts, again until they are accepted (issue 29)', async () => {
  const posts = await receive(500)
  await stripe.customers.create({ name: 'Avery' })
  const { id } = await stripe.paymentIntents.create(payment)
  await simulator.settled()
  expect(posts).toHaveLength(2)
  const event = stripe.webhooks.constructEvent(posts[1]!.payload, posts[1]!.signature, webhookSecret)
  expect(event).toMatchObject({ type: 'payment_intent.created', data: { object: { id } }, api_version: Stripe.API_VERSION })
  expect(() => stripe.webhooks.constructEvent(posts[1]!.payload, posts[1]!.signature, 'whsec_another')).toThrow(
    Stripe.errors.StripeSignatureVerificationError,
  )
})

test('posts events twice, in another order, or not at all (issue 29)', async () => {
  const posts = await receive()
  simulator.setDeliveries({ isDoubled: true, shuffled: 12, seed: 4 })
  for (const _ of [1, 2, 3, 4]) await pay()
  await simulator.settled()
  const ids = posts.map(({ payload }) => (JSON.parse(payload) as Stripe.Event).id)
  expect(ids).toHaveLength(24)
  expect([...new Set(ids)].toSorted()).toEqual(simulator.events.map((event) => event.id).toSorted())
  expect([...new Set(ids)]).not.toEqual(simulator.events.map((event) => event.id))
  simulator.setDeliveries({ lostShare: 1 })
  await pay()
  await simulator.settled()
  expect(posts).toHaveLength(24)
})

test('injects faults, and is offline when asked to (issue 29)', async () => {
  simulator.fault({ kind: 'status', status: 429 })
  expect(await errorOf(pay())).toBeInstanceOf(Stripe.errors.StripeRateLimitError)
  simulator.fault({ kind: 'status', status: 500 })
  expect(await errorOf(pay())).toBeInstanceOf(Stripe.errors.StripeAPIError)
  simulator.setOffline(true)
  expect(await errorOf(pay())).toMatchObject({ statusCode: 503 })
  simulator.setOffline(false)
  expect(simulator.list('payment_intent')).toHaveLength(0)
})

test('lets a page confirm its own intent only (issue 29)', async () => {
  const [mine, other] = [await stripe.paymentIntents.create(payment), await stripe.paymentIntents.create(payment)]
  const confirm = (id: string, secret: string) =>
    fetch(`${simulator.url}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        key: publishableKey,
        client_secret: secret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
      }),
    })
  expect((await confirm(other.id, mine.client_secret!)).status).toBe(401)
  expect((await confirm(mine.id, `${mine.id}_secret_0`)).status).toBe(400)
  expect(await (await confirm(mine.id, mine.client_secret!)).json()).toMatchObject({ status: 'succeeded' })
  expect((await fetch(`${simulator.url}/v1/charges?key=${publishableKey}`)).status).toBe(400)
  expect(await (await fetch(`${simulator.url}/v3/`)).text()).toContain('window.Stripe')
  expect(await (await fetch(simulator.url)).text()).toContain('$200.00')
})
