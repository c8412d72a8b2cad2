import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerOf } from './test-client.ts'
import { type QuickBooksSimulator, type QuickBooksSimulatorOptions, startQuickBooksSimulator } from './server.ts'

const client = { clientId: 'the-client', clientSecret: 'the-secret' }
const redirectUri = 'http://127.0.0.1:4100/quickbooks/callback'

let simulator: QuickBooksSimulator
let now = Date.UTC(2026, 4, 1)

beforeEach(() => start())
afterEach(() => simulator.stop())

async function start(options: QuickBooksSimulatorOptions = {}) {
  simulator = await startQuickBooksSimulator({ ...client, now: () => now, ...options })
}

async function restart(options: QuickBooksSimulatorOptions) {
  await simulator.stop()
  await start(options)
}

function consentUrl(change: Record<string, string | undefined> = {}) {
  const asked: Record<string, string | undefined> = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'com.intuit.quickbooks.accounting',
    state: 'a state&more',
    ...change,
  }
  return `${simulator.url}/connect/oauth2?${new URLSearchParams(asked as Record<string, string>)}`
}

async function consent(answer: 'connect' | 'cancel'): Promise<URL> {
  const body = new URLSearchParams([...new URL(consentUrl()).searchParams, ['answer', answer]])
  const reply = await fetch(`${simulator.url}/connect/oauth2`, { method: 'POST', body, redirect: 'manual' })
  expect(reply.status).toBe(302)
  return new URL(reply.headers.get('location') ?? '')
}

async function post(path: string, form: Record<string, string>, credentials = `${client.clientId}:${client.clientSecret}`) {
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  const answer = await fetch(simulator.url + path, { method: 'POST', headers, body: new URLSearchParams(form) })
  return { status: answer.status, body: await answer.json() }
}

const tokens = (form: Record<string, string>, credentials?: string) => post('/oauth2/v1/tokens/bearer', form, credentials)
const refresh = (token: string) => tokens({ grant_type: 'refresh_token', refresh_token: token })
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

async function codeFor(answer: 'connect' = 'connect') {
  return (await consent(answer)).searchParams.get('code') ?? ''
}

async function exchange(change: Record<string, string> = {}) {
  return await tokens({ grant_type: 'authorization_code', code: await codeFor(), redirect_uri: redirectUri, ...change })
}

describe('the consent page', () => {
  test('asks whether to connect the company and escapes the request parameters', async () => {
    const page = await (await fetch(consentUrl({ state: '"><script>' }))).text()
    expect(page).toContain('Connect <strong>Harbourview Plastic Surgery Inc.</strong> to the application?')
    expect(page).not.toContain('<script>')
  })

  test('redirects with a code, the state and the company on Connect', async () => {
    const { origin, pathname, searchParams } = await consent('connect')
    expect(origin + pathname).toBe(redirectUri)
    expect(Object.fromEntries(searchParams)).toEqual({ code: expect.any(String), state: 'a state&more', realmId: '9341453250000001' })
  })

  test('redirects with access_denied and the state on Cancel', async () => {
    expect(Object.fromEntries((await consent('cancel')).searchParams)).toEqual({ error: 'access_denied', state: 'a state&more' })
  })

  test('is skipped with auto=1', async () => {
    const reply = await fetch(consentUrl({ auto: '1' }), { redirect: 'manual' })
    expect(reply.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:4100\/quickbooks\/callback\?code=/)
  })

  test.each([
    { client_id: 'another' },
    { redirect_uri: 'javascript:alert(1)' },
    { response_type: 'token' },
    { scope: 'openid' },
    { state: '' },
  ])('refuses %o', async (change) => {
    expect((await fetch(consentUrl(change), { redirect: 'manual' })).status).toBe(400)
  })
})

describe('a code', () => {
  test('is exchanged for tokens that give access to the company', async () => {
    const { status, body } = await exchange()
    expect(status).toBe(200)
    expect(body).toEqual({
      token_type: 'bearer',
      access_token: expect.any(String),
      expires_in: 3600,
      refresh_token: expect.any(String),
      x_refresh_token_expires_in: 8_726_400,
    })
    expect((await callerOf(simulator, body.access_token).get('companyinfo/9341453250000001')).body).toMatchObject({
      CompanyInfo: { CompanyName: 'Harbourview Plastic Surgery Inc.', Country: 'CA' },
    })
  })

  test('works once', async () => {
    const code = await codeFor()
    expect(await exchange({ code })).toMatchObject({ status: 200 })
    expect(await exchange({ code })).toMatchObject(invalidGrant)
  })

  test('works only with the redirect_uri it was requested with', async () => {
    expect(await exchange({ redirect_uri: 'http://127.0.0.1:4100/other' })).toMatchObject(invalidGrant)
  })

  test('works for ten minutes', async () => {
    const code = await codeFor()
    now += 600_000
    expect(await exchange({ code })).toMatchObject(invalidGrant)
  })

  test.each(['the-client:wrong', 'other:the-secret', 'nothing'])(
    'is not exchanged for a client with the credentials %s',
    async (credentials) => {
      const form = { grant_type: 'authorization_code', code: await codeFor(), redirect_uri: redirectUri }
      expect(await tokens(form, credentials)).toEqual({ status: 401, body: { error: 'invalid_client' } })
    },
  )
})

describe('a refresh token', () => {
  test('rotates: the new one works, the previous one does not', async () => {
    const first = (await exchange()).body
    const second = await refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant)
    expect(await refresh(second.body.refresh_token)).toMatchObject({ status: 200 })
    expect(await refresh('made up')).toMatchObject(invalidGrant)
  })

  test('returns the current one for the previous one within the grace period', async () => {
    await restart({ refreshGraceSeconds: 60 })
    const first = (await exchange()).body
    const second = (await refresh(first.refresh_token)).body
    now += 59_000
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 200, body: { refresh_token: second.refresh_token } })
    now += 1000
    expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant)
  })

  test('works only for the client it was issued to', async () => {
    await restart({ clientId: undefined, clientSecret: undefined })
    const { refresh_token } = (await exchange()).body
    expect(await tokens({ grant_type: 'refresh_token', refresh_token }, 'other:secret')).toMatchObject(invalidGrant)
  })

  test('is counted at each refresh, including overlapping ones', async () => {
    await restart({ latencyMs: 60 })
    let token = simulator.connect().refresh_token
    for (const _ of [1, 2]) token = (await refresh(token)).body.refresh_token
    expect(simulator.refreshes()).toEqual({ count: 2, maxParallel: 1 })

    const answers = await Promise.all([refresh(token), refresh(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(simulator.refreshes()).toEqual({ count: 4, maxParallel: 2 })
  })
})

describe('an access token', () => {
  test('expires after an hour with an AuthenticationFault and is replaced by a refresh', async () => {
    const { access_token, refresh_token } = simulator.connect()
    now += 3_599_000
    expect((await callerOf(simulator, access_token).get('customer/1')).status).toBe(200)
    now += 1000
    const { status, body } = await callerOf(simulator, access_token).get('customer/1')
    expect(status).toBe(401)
    expect(body).toMatchObject({
      warnings: null,
      fault: {
        error: [{ message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401', code: '3200' }],
        type: 'AUTHENTICATION',
      },
    })
    expect((await callerOf(simulator, (await refresh(refresh_token)).body.access_token).get('customer/1')).status).toBe(200)
  })

  test('gives access to its own company only (403)', async () => {
    const headers = { authorization: `Bearer ${simulator.connect().access_token}` }
    expect((await fetch(`${simulator.url}/v3/company/123/customer/1`, { headers })).status).toBe(403)
  })

  test('is required: a missing or unknown one gets a 401', async () => {
    expect((await fetch(`${simulator.url}/v3/company/9341453250000001/customer/1`)).status).toBe(401)
    expect((await callerOf(simulator, 'made-up').get('customer/1')).status).toBe(401)
  })
})

test.each(['/oauth2/v1/tokens/revoke', '/v2/oauth2/tokens/revoke'])(
  'ends the connection when either token is revoked at %s',
  async (path) => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const given = simulator.connect()
      expect((await post(path, { token: given[which] })).status).toBe(200)
      expect((await callerOf(simulator, given.access_token).get('customer/1')).status).toBe(401)
      expect(await refresh(given.refresh_token)).toMatchObject(invalidGrant)
    }
  },
)

test('invalidates every token after a disconnect inside QuickBooks', async () => {
  const { access_token, refresh_token } = simulator.connect()
  simulator.disconnect()
  expect((await callerOf(simulator, access_token).get('customer/1')).status).toBe(401)
  expect(await refresh(refresh_token)).toMatchObject(invalidGrant)
})

test('lists the endpoints in the discovery document', async () => {
  expect(await (await fetch(`${simulator.url}/.well-known/openid_configuration/`)).json()).toMatchObject({
    authorization_endpoint: `${simulator.url}/connect/oauth2`,
    token_endpoint: `${simulator.url}/oauth2/v1/tokens/bearer`,
    revocation_endpoint: `${simulator.url}/oauth2/v1/tokens/revoke`,
  })
})
