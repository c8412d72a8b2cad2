/** Google's OAuth 2: the consent page, and issuing, revoking and inspecting tokens. */
import { consentPage } from '../consent-page.ts'
import type { Call, Reply } from '../http.ts'
import type { VendorReply } from '../vendor-server.ts'
import { type Grants, matchesChallenge } from './grants.ts'

/** The only valid client; any client is accepted if omitted. */
export type Client = { clientId?: string | undefined; clientSecret?: string | undefined }

export const authPath = '/o/oauth2/v2/auth'
export const oauthPaths = ['/token', '/revoke', '/tokeninfo']

/** GET shows the page, POST handles its buttons, `auto=1` allows immediately. @param email the suggestion when the request has no hint. */
export function consent(call: Call, grants: Grants, client: Client, email: string): VendorReply {
  const params = call.method === 'POST' ? new URLSearchParams(call.body) : call.query
  const hint = params.get('email') ?? params.get('login_hint') ?? email
  const page = { vendor: 'Google', action: authPath, params, email: hint }
  const problem = findProblem(params, client)
  if (problem !== undefined) return { status: 400, page: consentPage({ ...page, problem }) }

  const answer = params.get('answer') ?? (params.get('auto') === '1' ? 'allow' : undefined)
  if (answer === undefined) return { status: 200, page: consentPage(page) }
  const redirectUri = params.get('redirect_uri') ?? ''
  const scope = params.get('scope') ?? ''
  const location = new URL(redirectUri)
  const state = params.get('state')
  if (state !== null) location.searchParams.set('state', state)
  if (answer !== 'allow') {
    location.searchParams.set('error', 'access_denied')
    return { location: location.href }
  }
  const code = grants.issueCode({
    email: hint.toLowerCase(),
    clientId: params.get('client_id') ?? '',
    redirectUri,
    scope,
    challenge: params.get('code_challenge') ?? undefined,
    offline: params.get('access_type') === 'offline',
    forcesConsent: (params.get('prompt') ?? '').split(' ').includes('consent'),
  })
  location.searchParams.set('code', code)
  location.searchParams.set('scope', scope)
  return { location: location.href }
}

export function handleOauth(call: Call, grants: Grants, client: Client, now: number): Reply {
  if (call.path === '/token') return call.method === 'POST' ? exchange(call, grants, client) : errorReply(404, 'not_found', 'Not Found')
  if (call.path === '/revoke') {
    const token = call.query.get('token') ?? new URLSearchParams(call.body).get('token') ?? ''
    return grants.revoke(token) ? { status: 200, body: {} } : errorReply(400, 'invalid_token', 'Token expired or revoked')
  }
  const token = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1] ?? call.query.get('access_token') ?? ''
  const access = grants.ofToken(token)
  if (!access) return errorReply(400, 'invalid_token', 'Invalid Value')
  const { clientId, scope, email, expiresAt } = access
  const expires_in = String(Math.floor((expiresAt - now) / 1000))
  return {
    status: 200,
    body: { azp: clientId, aud: clientId, scope, exp: String(Math.floor(expiresAt / 1000)), expires_in, email, access_type: 'offline' },
  }
}

function exchange(call: Call, grants: Grants, client: Client): Reply {
  const form = new URLSearchParams(call.body)
  const [clientId, secret] = credentials(call, form)
  if (client.clientId !== undefined && clientId !== client.clientId)
    return errorReply(401, 'invalid_client', 'The OAuth client was not found.')
  if (client.clientSecret !== undefined && secret !== client.clientSecret) return errorReply(401, 'invalid_client', 'Unauthorized')
  const type = form.get('grant_type')
  if (type === 'refresh_token') {
    const tokens = grants.refresh(form.get('refresh_token') ?? '', clientId)
    return tokens ? { status: 200, body: tokens } : errorReply(400, 'invalid_grant', 'Token has been expired or revoked.')
  }
  if (type !== 'authorization_code') return errorReply(400, 'unsupported_grant_type', `Invalid grant_type: ${type ?? ''}`)
  const code = form.get('code')
  if (!code) return errorReply(400, 'invalid_request', 'Missing required parameter: code')
  const request = grants.takeCode(code)
  if (!request || request.clientId !== clientId)
    return errorReply(400, 'invalid_grant', code.startsWith('4/') ? 'Bad Request' : 'Malformed auth code.')
  if (request.redirectUri !== form.get('redirect_uri')) return errorReply(400, 'redirect_uri_mismatch', 'Bad Request')
  if (request.challenge !== undefined && !matchesChallenge(form.get('code_verifier') ?? '', request.challenge)) {
    return errorReply(400, 'invalid_grant', form.get('code_verifier') === null ? 'Missing code verifier.' : 'Invalid code verifier.')
  }
  return { status: 200, body: grants.open(request) }
}

/** The client's credentials, from the form or Basic authentication. */
function credentials(call: Call, form: URLSearchParams): [id: string, secret: string | undefined] {
  const encoded = /^Basic (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if (encoded === undefined) return [form.get('client_id') ?? '', form.get('client_secret') ?? undefined]
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return [id, secret.join(':')]
}

function errorReply(status: number, error: string, error_description: string): Reply {
  return { status, body: { error, error_description } }
}

function findProblem(params: URLSearchParams, client: Client): string | undefined {
  const redirectUri = params.get('redirect_uri') ?? ''
  if (!params.get('client_id') || (client.clientId !== undefined && params.get('client_id') !== client.clientId))
    return 'Error 401: invalid_client.'
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) return 'Error 400: redirect_uri_mismatch.'
  if (params.get('response_type') !== 'code') return 'Error 400: invalid_request, response_type must be code.'
  return params.get('scope') ? undefined : 'Error 400: invalid_request, missing required parameter: scope.'
}
