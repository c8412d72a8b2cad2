import twilio from 'twilio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signatureOf } from './hooks.ts'
import { segmentsOf } from './message.ts'
import { startTwilioSimulator, twilioCredentials, type TwilioSimulator } from './server.ts'

const { accountSid, authToken, number, messagingService } = twilioCredentials
const to = '+14165550142'
const statusCallback = 'https://clinic.example/api/hooks/twilio/status?message=1'

let simulator: TwilioSimulator

beforeEach(async () => {
  simulator = await startTwilioSimulator()
})
afterEach(() => simulator.stop())

/** The package's own HTTP client with another address: nothing else is changed. */
class AtSimulator extends twilio.RequestClient {
  override request<Data>(options: Parameters<twilio.RequestClient['request']>[0]) {
    return super.request<Data>({ ...options, uri: options.uri.replace('https://api.twilio.com', simulator.url) } as never)
  }
}
const packageWith = (token = authToken) => twilio(accountSid, token, { httpClient: new AtSimulator({ timeout: 2_000 }) })

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error: unknown) => error,
  )

test('accepts a message of the package and returns it (issue 28)', async () => {
  const created = await packageWith().messages.create({ to, from: number, body: 'Hello é' })
  expect(created).toMatchObject({ sid: expect.stringMatching(/^SM[0-9a-f]{32}$/), status: 'queued', numSegments: '1', price: null, to })
  await simulator.settled()
  const fetched = await packageWith().messages(created.sid).fetch()
  expect(fetched).toMatchObject({ status: 'delivered', price: '-0.00790', priceUnit: 'USD', errorCode: null })
  const ofService = await packageWith().messages.create({ to, messagingServiceSid: messagingService, body: 'Hello' })
  expect(ofService).toMatchObject({ status: 'accepted', messagingServiceSid: messagingService })
  expect(await packageWith().balance.fetch()).toMatchObject({ balance: '42.17', currency: 'USD' })
  expect(simulator.calls()).toEqual({ 'POST Messages': 2, 'GET Messages/{sid}': 1, 'GET Balance': 1 })
})

test.each([
  [21211, 400, { to: '555', from: number, body: 'Hello' }],
  [21606, 400, { to, from: '+14165550199', body: 'Hello' }],
  [21602, 400, { to, from: number, body: '' }],
  [21617, 400, { to, from: number, body: 'a'.repeat(1_601) }],
] as const)('refuses with code %d as the package reads it (issue 28)', async (code, status, message) => {
  expect(await errorOf(packageWith().messages.create(message))).toMatchObject({
    code,
    status,
    moreInfo: `https://www.twilio.com/docs/errors/${code}`,
  })
})

test('refuses another token, and a number that sent STOP until it sends START (issue 28)', async () => {
  expect(await errorOf(packageWith('another').balance.fetch())).toMatchObject({ code: 20003, status: 401 })
  await simulator.receive({ from: to, body: 'stop ' })
  expect(await errorOf(packageWith().messages.create({ to, from: number, body: 'Hello' }))).toMatchObject({ code: 21610 })
  await simulator.receive({ from: to, body: 'START' })
  expect(await packageWith().messages.create({ to, from: number, body: 'Hello' })).toMatchObject({ status: 'queued' })
})

test('posts each state with a signature that the package accepts, and its outcome (issue 28)', async () => {
  for (const [outcome, errorCode, states] of [
    ['delivered', null, ['queued', 'sent', 'delivered']],
    ['failed', 30007, ['queued', 'failed']],
    ['undelivered', 30003, ['queued', 'sent', 'undelivered']],
  ] as const) {
    simulator.setDeliveries({ outcome, errorCode })
    const { sid } = await packageWith().messages.create({ to, from: number, body: 'Hello', statusCallback })
    await simulator.settled()
    const calls = simulator.hookCalls.filter(({ params }) => params.MessageSid === sid).toReversed()
    expect(calls.map(({ params }) => params.MessageStatus)).toEqual(states)
    expect(calls.at(-1)!.params.ErrorCode).toBe(errorCode === null ? undefined : String(errorCode))
    for (const { url, params } of calls) {
      expect(twilio.validateRequest(authToken, signatureOf(authToken, url, params), url, params)).toBe(true)
      expect(twilio.validateRequest('another', signatureOf(authToken, url, params), url, params)).toBe(false)
    }
  }
})

test('posts states twice and in the opposite order when asked to (issue 28)', async () => {
  simulator.setDeliveries({ isDoubled: true, isReversed: true })
  await packageWith().messages.create({ to, from: number, body: 'Hello', statusCallback })
  await simulator.settled()
  const posted = simulator.hookCalls.toReversed().map(({ params }) => params.MessageStatus)
  expect(posted).toEqual(['delivered', 'delivered', 'sent', 'sent', 'queued', 'queued'])
})

test('serves the media of a received text to those who sign in only (issue 28)', async () => {
  simulator.setHooks({ inbound: 'http://127.0.0.1:1/inbound' })
  const bytes = Buffer.from('a picture')
  const { params } = await simulator.receive({
    from: to,
    body: '',
    media: [{ contentType: 'image/png', contentBase64: bytes.toString('base64') }],
  })
  const url = params.MediaUrl0!.replace('https://api.twilio.com', simulator.url)
  expect((await fetch(url)).status).toBe(401)
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const response = await fetch(url, { headers: { authorization } })
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
})

test('injects faults, and is offline when asked to (issue 28)', async () => {
  const send = () => errorOf(packageWith().messages.create({ to, from: number, body: 'Hello' }))
  simulator.fault({ kind: 'status', status: 429, retryAfter: 3 })
  expect(await send()).toMatchObject({ status: 429, code: 20429 })
  simulator.setOffline(true)
  expect(await send()).toMatchObject({ status: 503, code: 20503 })
  simulator.setOffline(false)
  simulator.fault({ kind: 'dropAfter' })
  expect(await send()).toMatchObject({ code: 'ECONNRESET' })
  expect(simulator.messages).toHaveLength(1)
})

test('answers as the patient from the page (issue 28)', async () => {
  simulator.setHooks({ inbound: 'http://127.0.0.1:1/inbound' })
  await packageWith().messages.create({ to, from: number, body: 'Hello <b>' })
  expect(await (await fetch(simulator.url)).text()).toContain('Hello &#60;b&#62;')
  const answer = await fetch(`${simulator.url}/_phones/answer`, {
    method: 'POST',
    body: new URLSearchParams({ from: to, body: 'Yes' }),
    redirect: 'manual',
  })
  expect(answer.status).toBe(302)
  expect(simulator.hookCalls[0]!.params).toMatchObject({ From: to, Body: 'Yes', NumMedia: '0' })
})

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(159) + '€', 2],
  ['ê'.repeat(70), 1],
  ['ê'.repeat(71), 2],
])('counts the segments of a text (issue 28)', (body, segments) => {
  expect(segmentsOf(body)).toBe(segments)
})
