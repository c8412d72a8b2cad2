/** Hosted authentication: the page on which a user grants access, and the exchange of the code. */
import { z } from 'zod'
import { consentPage } from '../consent-page.ts'
import { type Call, parseJson, type Reply } from '../http.ts'
import type { VendorReply } from '../vendor-server.ts'
import type { Grants } from './grants.ts'

/** The only valid application; any is accepted if omitted. */
export type Client = { clientId?: string | undefined; apiKey?: string | undefined }

export const authPath = '/v3/connect/auth'
export const tokenPath = '/v3/connect/token'

const providers = ['google', 'microsoft', 'imap', 'icloud', 'yahoo', 'ews']

/** GET shows the page, POST handles its buttons, `auto=1` allows immediately. @param email the suggestion when the request has no hint. */
export function hostedSignIn(call: Call, grants: Grants, client: Client, email: string): VendorReply {
  const params = call.method === 'POST' ? new URLSearchParams(call.body) : call.query
  const hint = params.get('email') ?? params.get('login_hint') ?? email
  const problem = findProblem(params, client)
  const page = { vendor: 'Nylas', action: authPath, params, email: hint }
  if (problem !== undefined) return { status: 400, page: consentPage({ ...page, problem }) }

  const answer = params.get('answer') ?? (params.get('auto') === '1' ? 'allow' : undefined)
  if (answer === undefined) return { status: 200, page: consentPage(page) }
  const redirectUri = params.get('redirect_uri') ?? ''
  const location = new URL(redirectUri)
  const state = params.get('state')
  if (answer === 'allow') {
    const code = grants.issueCode({
      email: hint.toLowerCase(),
      provider: (params.get('provider') ?? '').split(',')[0] || 'microsoft',
      clientId: params.get('client_id') ?? '',
      redirectUri,
      challenge: params.get('code_challenge') ?? undefined,
      offline: params.get('access_type') === 'offline',
    })
    location.searchParams.set('code', code)
  } else {
    location.searchParams.set('error', 'access_denied')
    location.searchParams.set('error_description', 'The user denied access')
  }
  if (state !== null) location.searchParams.set('state', state)
  return { location: location.href }
}

const tokenRequest = z.looseObject({
  grant_type: z.string(),
  client_id: z.string(),
  client_secret: z.string().optional(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
})

/** Errors have OAuth's format, unlike those of the other calls. */
export function exchangeToken(call: Call, grants: Grants, client: Client): Reply {
  const form = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const read = tokenRequest.safeParse(form ? Object.fromEntries(new URLSearchParams(call.body)) : parseJson(call.body))
  if (!read.success) return oauthError('invalid_request', `Missing required parameter: ${String(read.error.issues[0]?.path[0] ?? 'body')}`)
  const { grant_type, client_id, client_secret, code, redirect_uri = '', code_verifier: verifier, refresh_token } = read.data
  const secret = client_secret ?? /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if ((client.clientId !== undefined && client_id !== client.clientId) || (client.apiKey !== undefined && secret !== client.apiKey)) {
    return oauthError('invalid_client', 'Client authentication failed', 401)
  }
  if (grant_type === 'refresh_token') {
    const grant = grants.ofToken(refresh_token ?? '')
    return grant?.valid ? { status: 200, body: tokens(grants, grant.id) } : oauthError('invalid_grant', 'Invalid refresh token')
  }
  if (grant_type !== 'authorization_code') return oauthError('unsupported_grant_type', 'Unsupported grant type')
  if (code === undefined) return oauthError('invalid_request', 'Missing required parameter: code')
  const exchanged = grants.exchange(code, { clientId: client_id, redirectUri: redirect_uri, verifier })
  if (!exchanged) return oauthError('invalid_grant', 'The provided authorization code is invalid, expired or was used before')
  const { grant, offline } = exchanged
  const body = { ...tokens(grants, grant.id), email: grant.email, provider: grant.provider }
  return { status: 200, body: { ...body, ...(offline && { refresh_token: grants.issueToken(grant) }) } }
}

function tokens(grants: Grants, id: string) {
  const access_token = grants.issueToken(grants.find(id)!)
  return { access_token, expires_in: 3600, grant_id: id, scope: 'mail.read mail.send', token_type: 'Bearer' }
}

function oauthError(error: string, error_description: string, error_code = 400): Reply {
  const body = {
    request_id: crypto.randomUUID(),
    error,
    error_description,
    error_code,
    error_uri: 'https://developer.nylas.com/docs/api/errors/',
  }
  return { status: error_code, body }
}

function findProblem(params: URLSearchParams, client: Client): string | undefined {
  const redirectUri = params.get('redirect_uri') ?? ''
  if (!params.get('client_id') || (client.clientId !== undefined && params.get('client_id') !== client.clientId))
    return 'unknown client_id.'
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) return 'redirect_uri is not a URL.'
  if (params.get('response_type') !== 'code') return 'response_type must be code.'
  if ((params.get('state') ?? '').length > 256) return 'state is longer than 256 characters.'
  const unknown = (params.get('provider') ?? '').split(',').find((one) => one !== '' && !providers.includes(one))
  return unknown === undefined ? undefined : `unknown provider ${unknown}.`
}
