import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GmailSimulator, startGmailSimulator } from '../../../simulators/gmail/server.ts'
import { type NylasSimulator, startNylasSimulator } from '../../../simulators/nylas/server.ts'
import { openGmail } from './gmail/gmail.ts'
import { createGmailSignIn } from './gmail/sign-in.ts'
import { openNylas } from './nylas/nylas.ts'
import { createNylasSignIn } from './nylas/sign-in.ts'

const redirectUri = 'http://127.0.0.1:4100/auth/callback'
const state = 's&1=ä'
const client = { clientId: 'id', clientSecret: 'client-secret' }

/** As a person who presses Allow. */
async function allow(url: string, change: Record<string, string> = {}): Promise<string> {
  const page = new URL(url)
  for (const [name, value] of Object.entries({ auto: '1', ...change })) page.searchParams.set(name, value)
  const answer = await fetch(page, { redirect: 'manual' })
  const location = new URL(answer.headers.get('location') ?? '')
  expect(`${location.origin}${location.pathname}`).toBe(redirectUri)
  expect(location.searchParams.get('state')).toBe(state)
  return location.searchParams.get('code') ?? ''
}

/** Answers each call with this. */
async function answering(status: number, body: string): Promise<{ url: string; stop: () => void }> {
  const server = createServer((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

describe('with Nylas', () => {
  let simulator: NylasSimulator
  beforeEach(async () => {
    simulator = await startNylasSimulator({ clientId: 'id', apiKey: 'key', messages: 20 })
  })
  afterEach(() => simulator.stop())
  const signInAt = (apiUri: string, change = {}) =>
    createNylasSignIn({ clientId: 'id', apiKey: 'key', apiUri, redirectUri, timeoutSeconds: 5, ...change })

  test('the sign-in page leads to a grant for the mailbox of the person who allowed it', async () => {
    const signIn = signInAt(`${simulator.url}/`)
    expect(new URL(signIn.url(state)).searchParams.get('access_type')).toBe('offline')
    const code = await allow(signIn.url(state), { email: 'Desk@clinic.example', provider: 'microsoft' })
    const exchanged = await signIn.exchange(code)
    const grant = simulator.grants()[0]!
    expect(exchanged).toEqual({ ok: true, value: { grantId: grant.id, email: 'desk@clinic.example' } })
    const mailbox = openNylas({ apiKey: 'key', apiUri: simulator.url, grantId: grant.id, timeoutSeconds: 5 })
    expect(await mailbox.folders()).toMatchObject({ ok: true })
    expect(await signIn.exchange(code)).toMatchObject({ ok: false, kind: 'refused' })

    await signIn.end(grant.id)
    expect(simulator.grants()).toEqual([])
    expect(await mailbox.folders()).toMatchObject({ ok: false, kind: 'reconnect' })
    await signIn.end(grant.id)
    await signIn.end('..')
  })

  test('refuses an invalid code, another redirect address and a wrong key', async () => {
    const signIn = signInAt(simulator.url)
    expect(await signIn.exchange('none')).toMatchObject({ ok: false, kind: 'refused', isUncertain: false })
    const code = await allow(signIn.url(state))
    expect(await signInAt(simulator.url, { redirectUri: `${redirectUri}/other` }).exchange(code)).toMatchObject({ kind: 'refused' })
    const wrong = await signInAt(simulator.url, { apiKey: 'wrong-secret' }).exchange(await allow(signIn.url(state)))
    expect(wrong).toMatchObject({ kind: 'refused', message: expect.not.stringContaining('wrong-secret') })
  })

  test.each([
    [500, '{"error":{"type":"api.internal_error","message":"x"}}', 'away'],
    [502, '<html>', 'away'],
    [429, '{"error":"rate_limit_error","error_description":"Slower"}', 'busy'],
    [200, '{"access_token":"t"}', 'unreadable'],
    [200, '{"grant_id', 'unreadable'],
  ])('%i with %j is %s', async (status, body, kind) => {
    const other = await answering(status, body)
    expect(await signInAt(other.url).exchange('code')).toMatchObject({ ok: false, kind })
    other.stop()
  })

  test('reports an unavailable provider, and still disconnects', async () => {
    await simulator.stop()
    const signIn = signInAt(simulator.url)
    expect(await signIn.exchange('code')).toMatchObject({ ok: false, kind: 'away' })
    await signIn.end('grant')
    simulator = await startNylasSimulator({ messages: 5 })
  })
})

describe('with Google', () => {
  let simulator: GmailSimulator
  beforeEach(async () => {
    simulator = await startGmailSimulator({ ...client, messages: 20 })
  })
  afterEach(() => simulator.stop())
  const signInAt = (baseUrl: string, change = {}) => createGmailSignIn({ ...client, baseUrl, redirectUri, timeoutSeconds: 5, ...change })

  test('the sign-in page leads to tokens for the mailbox of the person who allowed it, each time', async () => {
    const signIn = signInAt(`${simulator.url}/`)
    const asked = Object.fromEntries(new URL(signIn.url(state)).searchParams)
    expect(asked).toMatchObject({ access_type: 'offline', prompt: 'consent', scope: 'https://www.googleapis.com/auth/gmail.modify' })
    const exchange = async () => await signIn.exchange(await allow(signIn.url(state), { login_hint: 'Desk@clinic.example' }))
    const [first, again] = [await exchange(), await exchange()]
    const tokens = { refreshToken: expect.any(String), accessToken: expect.any(String), expiresAt: expect.any(Number) }
    expect([first, again]).toEqual(Array.from({ length: 2 }, () => ({ ok: true, value: { email: 'desk@clinic.example', tokens } })))
    if (!again.ok) return
    expect(again.value.tokens.expiresAt).toBeGreaterThan(Date.now())
    const kept = { ...again.value.tokens, expiresAt: 0 }
    const mailbox = openGmail({ ...client, baseUrl: simulator.url, tokens: kept, onTokens: async () => {}, timeoutSeconds: 5 })
    expect(await mailbox.folders()).toMatchObject({ ok: true })

    await signIn.end(again.value.tokens)
    expect(await mailbox.folders()).toMatchObject({ ok: false, kind: 'reconnect' })
    await signIn.end(again.value.tokens)
  })

  test('refuses a sign-in without lasting access or with too few permissions', async () => {
    const signIn = signInAt(simulator.url)
    simulator.connect('desk@clinic.example')
    const passing = await allow(signIn.url(state), { access_type: 'online' })
    expect(await signIn.exchange(passing)).toMatchObject({ ok: false, kind: 'refused', message: 'Google did not grant lasting access' })
    const little = await allow(signIn.url(state), { scope: 'https://www.googleapis.com/auth/gmail.readonly' })
    expect(await signIn.exchange(little)).toMatchObject({ ok: false, kind: 'refused' })
  })

  test('refuses an invalid or used code, another redirect address and a wrong secret', async () => {
    const signIn = signInAt(simulator.url)
    expect(await signIn.exchange('none')).toMatchObject({ ok: false, kind: 'refused', isUncertain: false })
    const code = await allow(signIn.url(state))
    expect(await signInAt(simulator.url, { redirectUri: `${redirectUri}/other` }).exchange(code)).toMatchObject({ kind: 'refused' })
    expect(await signIn.exchange(code)).toMatchObject({ kind: 'refused' })
    const wrong = await signInAt(simulator.url, { clientSecret: 'wrong-secret' }).exchange(await allow(signIn.url(state)))
    expect(wrong).toMatchObject({ kind: 'refused', message: expect.not.stringContaining('wrong-secret') })
  })

  test('does not connect a mailbox that does not report its owner', async () => {
    const signIn = signInAt(simulator.url)
    const code = await allow(signIn.url(state))
    simulator.fault({ kind: 'status', status: 500, match: '/profile' })
    expect(await signIn.exchange(code)).toMatchObject({ ok: false, kind: 'away' })
  })

  test.each([
    [503, '{"error":"internal_failure"}', 'away'],
    [502, '<html>', 'away'],
    [429, '{"error":"rate_limit_exceeded"}', 'busy'],
    [400, '<html>', 'refused'],
    [200, '{"token_type":"Bearer"}', 'unreadable'],
  ])('%i with %j is %s', async (status, body, kind) => {
    const other = await answering(status, body)
    expect(await signInAt(other.url).exchange('code')).toMatchObject({ ok: false, kind })
    other.stop()
  })

  test('reports an unavailable provider after one try, and still disconnects', async () => {
    const signIn = signInAt(simulator.url, { timeoutSeconds: 0.5 })
    simulator.fault({ kind: 'timeoutBefore', match: '/(token|revoke)', times: 2 })
    expect(await signIn.exchange('4/code')).toMatchObject({ ok: false, kind: 'away' })
    await signIn.end({ refreshToken: 'r', accessToken: 'a', expiresAt: 0 })
    expect(simulator.calls()).toEqual({ 'POST /token': 1, 'POST /revoke': 1 })
  })
})
