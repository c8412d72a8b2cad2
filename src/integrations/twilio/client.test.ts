import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTwilioSimulator, twilioCredentials, type TwilioSimulator } from '../../../simulators/twilio/server.ts'
import { signatureOf } from '../../../simulators/twilio/hooks.ts'
import { createTwilio } from './client.ts'

const { accountSid, authToken, number, messagingService } = twilioCredentials
const text = {
  to: '+14165550142',
  body: 'Hello',
  sender: { number },
  statusCallback: 'https://clinic.example/api/hooks/twilio/status?message=1',
}

let simulator: TwilioSimulator

beforeAll(async () => {
  simulator = await startTwilioSimulator()
})
afterEach(() => {
  simulator.clearFaults()
  simulator.setOffline(false)
})
afterAll(() => simulator.stop())

const client = (options: { authToken?: string; baseUrl?: string } = {}) =>
  createTwilio({ accountSid, authToken, baseUrl: simulator.url, timeoutSeconds: 1, ...options })

describe('createTwilio', () => {
  it('sends from a number or a messaging service, and reads the balance (issue 28)', async () => {
    expect(await client().send(text)).toEqual({ ok: true, sid: expect.stringMatching(/^SM/), segments: 1 })
    expect(await client().send({ ...text, sender: { messagingService } })).toMatchObject({ ok: true })
    expect(simulator.messages.map(({ messagingServiceSid }) => messagingServiceSid)).toEqual([null, messagingService])
    expect(await client().balance()).toEqual({ ok: true, balance: '42.17', currency: 'USD' })
  })

  it.each([
    ['a rate limit', { kind: 'status', status: 429 }, { kind: 'rate-limit', retryable: true, isUncertain: false }],
    ['an outage', { kind: 'status', status: 503 }, { kind: 'unavailable', retryable: true, isUncertain: false }],
    ['an error in the middle of the work', { kind: 'status', status: 500 }, { kind: 'unknown', retryable: false, isUncertain: true }],
    ['a refused token', { kind: 'status', status: 401 }, { kind: 'credentials', retryable: false, isUncertain: false }],
    ['a connection that broke before the response', { kind: 'dropAfter' }, { kind: 'unknown', retryable: false, isUncertain: true }],
    ['a response that came too late', { kind: 'timeoutAfter' }, { kind: 'unknown', retryable: false, isUncertain: true }],
    ['a response that is cut', { kind: 'badJson' }, { kind: 'unknown', retryable: false, isUncertain: true }],
  ] as const)('says of %s whether a retry can help, and whether the text may have left (issue 28)', async (_, fault, expected) => {
    simulator.fault(fault)
    expect(await client().send(text)).toMatchObject({ ok: false, ...expected })
  })

  it('says that nothing was sent where no connection was made, and of refusals why (issue 28)', async () => {
    expect(await client({ baseUrl: 'http://127.0.0.1:1' }).send(text)).toMatchObject({ kind: 'unreachable', retryable: true })
    expect(await client({ authToken: 'another' }).balance()).toMatchObject({ kind: 'credentials', code: 20003 })
    expect(await client().send({ ...text, to: '+1' })).toMatchObject({ kind: 'invalid-number', code: 21211 })
    expect(await client().send({ ...text, body: 'a'.repeat(1_601) })).toMatchObject({ kind: 'refused', code: 21617 })
    await simulator.receive({ from: text.to, body: 'STOP' })
    expect(await client().send(text)).toMatchObject({ kind: 'stopped', code: 21610, retryable: false })
    await simulator.receive({ from: text.to, body: 'START' })
  })

  it('accepts posts that Twilio signed for this address only (issue 28)', async () => {
    const url = 'https://clinic.example/api/hooks/twilio/inbound'
    const params = { From: text.to, Body: 'Réponse' }
    const signature = signatureOf(authToken, url, params)
    expect(await client().isSigned({ url, signature, params })).toBe(true)
    expect(await client().isSigned({ url, signature: null, params })).toBe(false)
    expect(await client().isSigned({ url, signature: '', params })).toBe(false)
    expect(await client().isSigned({ url: `${url}?x=1`, signature, params })).toBe(false)
    expect(await client().isSigned({ url, signature, params: { ...params, Body: 'Other' } })).toBe(false)
    expect(await client().isSigned({ url, signature: signatureOf('another', url, params), params })).toBe(false)
  })

  it('fetches media of its own account, and calls no other address (issue 28)', async () => {
    simulator.setHooks({ inbound: 'http://127.0.0.1:1/inbound' })
    const media = [{ contentType: 'image/png', contentBase64: Buffer.from('picture').toString('base64') }]
    const { params } = await simulator.receive({ from: text.to, media })
    const found = await client().media(params.MediaUrl0!)
    expect(found.ok && Buffer.concat(await Array.fromAsync(found.bytes)).toString()).toBe('picture')
    simulator.resetCalls()
    const foreign = [`${simulator.url}/x`, params.MediaUrl0!.replace(accountSid, 'AC1'), `${params.MediaUrl0!}/../../Balance.json`, '']
    for (const url of foreign) expect(await client().media(url)).toEqual({ ok: false, retryable: false })
    expect(simulator.calls()).toEqual({})
  })
})
