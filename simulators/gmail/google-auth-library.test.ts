import { OAuth2Client } from 'google-auth-library'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GmailSimulator, startGmailSimulator } from './server.ts'

const redirectUri = 'http://127.0.0.1:4100/auth/gmail/callback'

let simulator: GmailSimulator
let client: OAuth2Client
let base: string

beforeEach(async () => {
  simulator = await startGmailSimulator({ clientId: 'id', clientSecret: 'secret', messages: 400, accessTokenSeconds: 3599 })
  const { url } = simulator
  base = `${url}/gmail/v1/users/me`
  client = new OAuth2Client({
    clientId: 'id',
    clientSecret: 'secret',
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${url}/token`,
      oauth2RevokeUrl: `${url}/revoke`,
      tokenInfoUrl: `${url}/tokeninfo`,
    },
  })
})
afterEach(() => simulator.stop())

async function codeFor(change: Parameters<OAuth2Client['generateAuthUrl']>[0] = {}): Promise<string> {
  const scope = ['https://www.googleapis.com/auth/gmail.modify']
  const url = client.generateAuthUrl({ access_type: 'offline', scope, state: 's&1', login_hint: 'Desk@clinic.example', ...change })
  const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  expect(searchParams.get('state')).toBe('s&1')
  return searchParams.get('code') ?? ''
}

test('signs in with PKCE and reads the mailbox of the address', async () => {
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync()
  const code = await codeFor({ code_challenge_method: 'S256' as never, code_challenge: codeChallenge })
  const { tokens } = await client.getToken({ code, codeVerifier })
  expect(tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.stringMatching(/^1\/\/0/), expiry_date: expect.any(Number) })
  client.setCredentials(tokens)
  const { data } = await client.request({ url: `${base}/profile` })
  expect(data).toMatchObject({ emailAddress: 'desk@clinic.example', messagesTotal: 400 })
  expect(await client.getTokenInfo(tokens.access_token ?? '')).toMatchObject({ email: 'desk@clinic.example', aud: 'id' })
  await expect(client.getToken(code)).rejects.toMatchObject({ response: { status: 400, data: { error: 'invalid_grant' } } })
})

test('returns a refresh token on first consent and on request', async () => {
  expect((await client.getToken(await codeFor())).tokens.refresh_token).toBeDefined()
  expect((await client.getToken(await codeFor())).tokens.refresh_token).toBeUndefined()
  expect((await client.getToken(await codeFor({ prompt: 'consent' }))).tokens.refresh_token).toBeDefined()
})

test('refreshes an expired access token automatically until the user revokes access', async () => {
  client.setCredentials(simulator.connect())
  simulator.expireAccess()
  expect(await client.request({ url: `${base}/labels` })).toMatchObject({ status: 200 })
  expect(simulator.calls()).toMatchObject({ 'POST /token': 1, 'GET labels': 2 })
  simulator.revoke()
  simulator.expireAccess()
  client.setCredentials({ refresh_token: client.credentials.refresh_token ?? null })
  const invalid = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }
  await expect(client.request({ url: `${base}/labels` })).rejects.toMatchObject({ message: 'invalid_grant', response: { data: invalid } })
})

test('revokes its own credentials', async () => {
  const tokens = simulator.connect()
  client.setCredentials(tokens)
  await client.revokeCredentials()
  client.setCredentials({ refresh_token: tokens.refresh_token })
  await expect(client.getAccessToken()).rejects.toMatchObject({ message: 'invalid_grant' })
})

test('surfaces errors as the package defines them', async () => {
  client.setCredentials(simulator.connect())
  const ask = () => client.request({ url: `${base}/messages`, retry: false })
  simulator.fault({ kind: 'status', status: 429 })
  await expect(ask()).rejects.toMatchObject({ status: 429, message: expect.stringMatching(/User-rate limit exceeded/) })
  await expect(client.request({ url: `${base}/messages/1234` })).rejects.toMatchObject({
    status: 404,
    message: 'Requested entity was not found.',
  })
})
