import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signatureOf } from '../../../simulators/stripe/hooks.ts'
import { startStripeSimulator, stripeCredentials, type StripeSimulator } from '../../../simulators/stripe/server.ts'
import { createStripe, type StripeOptions } from './client.ts'

const { secretKey, webhookSecret } = stripeCredentials

let simulator: StripeSimulator

beforeAll(async () => {
  simulator = await startStripeSimulator()
})
afterEach(() => {
  simulator.clearFaults()
  simulator.setOffline(false)
})
afterAll(() => simulator.stop())

const client = (options: Partial<StripeOptions> = {}) =>
  createStripe({ secretKey, webhookSecret, baseUrl: simulator.url, timeoutSeconds: 1, ...options })

let keys = 0
const newKey = () => `key-${++keys}`
async function newPayment(key = newKey()) {
  const customer = await client().createCustomer({ name: 'Avery Chen', email: null, reference: '1' }, 'customer-1')
  const customerId = customer.ok ? customer.value.id : expect.unreachable()
  return client().createPayment(
    { amountCents: 20_000, customerId, description: 'Deposit', reference: key, savesCard: false, isInPerson: false },
    key,
  )
}

describe('createStripe', () => {
  it('makes one customer and one payment for a key, reads and cancels it (issue 29)', async () => {
    const key = newKey()
    const first = await newPayment(key)
    expect(first).toMatchObject({
      ok: true,
      value: { status: 'requires_payment_method', amountCents: 20_000, currency: 'cad', method: null },
    })
    expect(await newPayment(key)).toEqual(first)
    expect(simulator.list('customer')).toHaveLength(1)
    const { id } = first.ok ? first.value : expect.unreachable()
    expect(await client().findPayment(id)).toEqual(first)
    expect(await client().cancelPayment(id)).toMatchObject({ ok: true, value: { status: 'canceled' } })
    expect(await client().cancelPayment(id)).toMatchObject({ ok: true, value: { status: 'canceled' } })
  })

  it.each([
    ['a rate limit', { kind: 'status', status: 429 }, { kind: 'rate-limit', isUncertain: false }],
    ['an outage', { kind: 'status', status: 503 }, { kind: 'unavailable', isUncertain: false }],
    ['an error in the middle of the work', { kind: 'status', status: 500 }, { kind: 'unknown', isUncertain: true }],
    ['a refused key', { kind: 'status', status: 401 }, { kind: 'credentials', isUncertain: false }],
    ['a connection that broke before the response', { kind: 'dropAfter', times: 2 }, { kind: 'unknown', isUncertain: true }],
    ['a response that came too late', { kind: 'timeoutAfter' }, { kind: 'unknown', isUncertain: true }],
    ['a response that is cut', { kind: 'badJson' }, { kind: 'unknown', isUncertain: true }],
  ] as const)('says of %s whether Stripe may have done it (issue 29)', async (_, fault, expected) => {
    simulator.fault({ ...fault, match: 'POST /v1/payment_intents' })
    expect(await newPayment()).toMatchObject({ ok: false, ...expected })
  })

  it('says that nothing was done where no connection was made, and of refusals why (issue 29)', async () => {
    expect(await client({ baseUrl: 'http://127.0.0.1:1' }).findPayment('pi_1')).toMatchObject({ kind: 'unreachable', isUncertain: false })
    expect(await client({ secretKey: 'sk_test_another' }).findPayment('pi_1')).toMatchObject({ kind: 'credentials' })
    expect(await client().findPayment('pi_1')).toMatchObject({ kind: 'refused', code: 'resource_missing' })
    expect(() => createStripe({ secretKey, baseUrl: 'ftp://stripe.example' })).toThrow('must be http or https')
  })

  it('accepts events that Stripe signed a moment ago only (issue 29)', async () => {
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'charge.refunded',
      data: { object: { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' } },
    })
    const now = new Date('2026-11-29T12:00:00Z')
    const at = now.getTime() / 1_000
    const read = (signature: string, body = payload, options = {}) => client(options).readEvent(body, signature, now)
    const signature = signatureOf(webhookSecret, at, payload)
    expect(await read(signature)).toEqual({ id: 'evt_1', type: 'charge.refunded', object: 'charge', objectId: 'ch_1', paymentId: 'pi_1' })
    expect(await read(signatureOf(webhookSecret, at - 299, payload))).not.toBeNull()
    expect(await read(signatureOf(webhookSecret, at - 301, payload))).toBeNull()
    expect(await read(signatureOf('whsec_another', at, payload))).toBeNull()
    expect(await read(signature, payload.replace('ch_1', 'ch_2'))).toBeNull()
    expect(await read('')).toBeNull()
    expect(await read(signature, payload, { webhookSecret: undefined })).toBeNull()
    expect(await read(signatureOf(webhookSecret, at, '[]'), '[]')).toBeNull()
  })
})
