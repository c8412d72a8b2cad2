import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { startClamdSimulator } from '../../../simulators/clamd/server.ts'
import { startStripeSimulator, stripeCredentials } from '../../../simulators/stripe/server.ts'
import { startTimestampSimulator } from '../../../simulators/timestamp-authority/server.ts'
import { startTwilioSimulator } from '../../../simulators/twilio/server.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, startTestServer, type TestServer, useServer } from '../../../test/server.ts'

describe('connection tests', () => {
  const server = useServer()
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  it('allows only administrators, and refuses to test a system that is not set up', async () => {
    const list = await admin.connections.list()
    expect(list.map(({ system }) => system)).toEqual(['postmark', 'twilio', 'stripe', 'storage', 'clamd', 'timestamps', 'mailboxes'])
    expect(list.find(({ system }) => system === 'clamd')?.isSetUp).toBe(false)
    expect((await refusal(admin.connections.test({ system: 'clamd' }))).code).toBe('NOT_SET_UP')
    const sales = await server.as('sales_rep')
    expect((await refusal(sales.connections.test({ system: 'storage' }))).status).toBe(403)
  })

  it('tests storage by writing, reading and deleting a file, and leaves nothing behind', async () => {
    expect(await admin.connections.test({ system: 'storage' })).toEqual({
      isOk: true,
      message: 'A file was written, read and deleted.',
      advice: null,
    })
    const keys: string[] = []
    for await (const { key } of server.running.runtime.files.list()) keys.push(key)
    expect(keys.filter((key) => key.startsWith('probes/'))).toEqual([])
  })

  it('tests Postmark by sending an email to the administrator', async () => {
    const outcome = await admin.connections.test({ system: 'postmark' })
    expect(outcome).toMatchObject({ isOk: true, advice: null })
    expect(outcome.message).toMatch(/^Postmark accepted an email from no-reply@refyne\.example to .+@/)
  })
})

describe('virus scanner test', () => {
  let scanner: Awaited<ReturnType<typeof startClamdSimulator>>
  let server: TestServer
  beforeAll(async () => {
    scanner = await startClamdSimulator()
    server = await startTestServer(inject('postgres'), { CLAMD_URL: scanner.url })
  })
  afterAll(async () => {
    await server.stop()
    await scanner.stop()
  })

  it('passes when the scanner finds the test virus, and gives advice when the scanner is unavailable', async () => {
    const admin = await server.as('admin')
    expect(await admin.connections.test({ system: 'clamd' })).toMatchObject({ isOk: true, advice: null })
    await scanner.stop()
    const unavailable = await admin.connections.test({ system: 'clamd' })
    expect([unavailable.isOk, unavailable.advice]).toEqual([false, expect.stringContaining('CLAMD_URL')])
  })
})

describe('Stripe test (issue 29)', () => {
  it('shows the balance, and says what to do when Stripe refuses the key or is offline (issue 29)', async () => {
    const stripe = await startStripeSimulator()
    onTestFinished(() => stripe.stop())
    const { secretKey, publishableKey, webhookSecret } = stripeCredentials
    const settings = {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_URL: stripe.url,
    }
    const adminOf = async (given: object) => {
      const server = await startTestServer(inject('postgres'), { ...settings, ...given })
      onTestFinished(() => server.stop())
      return server.as('admin')
    }
    const admin = await adminOf({})
    const cards = async () => (await admin.connections.list()).find(({ system }) => system === 'stripe')?.cards
    expect(await cards()).toEqual({
      isLive: false,
      acceptsEvents: true,
      lastEventAt: null,
      accounts: { payments: 'Stripe clearing', payouts: 'Chequing', fees: 'Merchant fees', disputes: 'Merchant fees' },
    })
    const test = () => admin.connections.test({ system: 'stripe' })
    expect(await test()).toEqual({
      isOk: true,
      message: 'Stripe accepted the secret key. The account’s balance is $0.00, with $0.00 pending.',
      advice: null,
    })
    stripe.setOffline(true)
    expect(await test()).toMatchObject({ isOk: false, message: 'Stripe did not respond.' })
    stripe.setOffline(false)
    const misled = await adminOf({ STRIPE_SECRET_KEY: 'sk_test_another' })
    expect(await misled.connections.test({ system: 'stripe' })).toMatchObject({
      isOk: false,
      message: 'Stripe refused the secret key.',
      advice: expect.stringContaining('STRIPE_SECRET_KEY'),
    })
  })
})

describe('Twilio test (issue 28)', () => {
  it('shows the balance without sending a text, and says what to do when Twilio refuses or is offline (issue 28)', async () => {
    const twilio = await startTwilioSimulator()
    onTestFinished(() => twilio.stop())
    const server = await startTestServer(inject('postgres'), {
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_NUMBER: twilio.number,
      TWILIO_URL: twilio.url,
    })
    onTestFinished(() => server.stop())
    const admin = await server.as('admin')
    const stateOf = async () => (await admin.system.status()).systems.find(({ vendor }) => vendor === 'twilio')
    expect((await stateOf())?.state).toBe('unused')
    expect(await admin.connections.test({ system: 'twilio' })).toEqual({
      isOk: true,
      message: `Twilio accepted the token. Texts are sent from (905) 555-0118. The account’s balance is US$42.17.`,
      advice: null,
    })
    expect((await stateOf())?.state).toBe('working')
    expect(twilio.calls()).toEqual({ 'GET Balance': 1 })
    twilio.fault({ kind: 'status', status: 401 })
    expect(await admin.connections.test({ system: 'twilio' })).toMatchObject({
      isOk: false,
      message: 'Twilio refused the token.',
      advice: expect.stringContaining('TWILIO_AUTH_TOKEN') as string,
    })
    expect(await stateOf()).toMatchObject({ state: 'failing', failure: 'credentials' })
    twilio.setOffline(true)
    expect(await admin.connections.test({ system: 'twilio' })).toMatchObject({ isOk: false, message: 'Twilio did not respond.' })
  })
})

describe('time-stamp authority test', () => {
  it('asks for a time-stamp, and says what to do if there is none', async () => {
    const authority = await startTimestampSimulator()
    onTestFinished(() => authority.stop())
    const server = await startTestServer(inject('postgres'), { TSA_URL: authority.url })
    onTestFinished(() => server.stop())
    const admin = await server.as('admin')
    const stateOf = async () => (await admin.system.status()).systems.find(({ vendor }) => vendor === 'timestamp-authority')?.state
    expect(await admin.connections.test({ system: 'timestamps' })).toEqual({
      isOk: true,
      message: 'Simulated Time-Stamp Authority gave a valid time-stamp.',
      advice: null,
    })
    expect(await stateOf()).toBe('working')
    authority.answerWrongly('wrongNonce')
    expect(await admin.connections.test({ system: 'timestamps' })).toMatchObject({
      isOk: false,
      advice: expect.stringContaining('not a valid time-stamp') as string,
    })
    expect(await stateOf()).toBe('failing')
  })
})
