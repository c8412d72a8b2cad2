/** Intuit's OAuth 2: the consent page, tokens, revocation and the discovery document. */
import type { Grants } from './grants.ts'
import { type Call, escapeHtml, parseJson, type Reply } from '../http.ts'
import { companyName, realmId } from './company/chart.ts'

const scope = 'com.intuit.quickbooks.accounting'

/** The only valid client; any client is accepted if omitted. */
export type Client = { clientId?: string | undefined; clientSecret?: string | undefined }

export const tokenPath = '/oauth2/v1/tokens/bearer'
/** Intuit has two URLs for revoking tokens. */
export const revokePaths = ['/oauth2/v1/tokens/revoke', '/v2/oauth2/tokens/revoke']

type Consent = { page: string; status: number } | { location: string }

/** GET shows the page, POST handles its buttons, `auto=1` connects immediately. */
export function consent(call: Call, grants: Grants, client: Client): Consent {
  const params = call.method === 'POST' ? new URLSearchParams(call.body) : call.query
  const clientId = params.get('client_id') ?? ''
  const redirectUri = params.get('redirect_uri') ?? ''
  const problem = findProblem(params, client)
  if (problem) return { status: 400, page: page(`<p>The application couldn’t connect: ${escapeHtml(problem)}</p>`) }

  const answer = params.get('answer') ?? (params.get('auto') === '1' ? 'connect' : undefined)
  if (answer === undefined) return { status: 200, page: page(form(params)) }
  const location = new URL(redirectUri)
  if (answer === 'connect') {
    location.searchParams.set('code', grants.issueCode(clientId, redirectUri))
    location.searchParams.set('state', params.get('state') ?? '')
    location.searchParams.set('realmId', realmId)
  } else {
    location.searchParams.set('error', 'access_denied')
    location.searchParams.set('state', params.get('state') ?? '')
  }
  return { location: location.href }
}

/** The grant type of a token request; null if missing. */
export function grantTypeOf(call: Call): string | null {
  return new URLSearchParams(call.body).get('grant_type')
}

export function handleTokens(call: Call, grants: Grants, client: Client): Reply {
  const clientId = authenticate(call, client)
  if (clientId === undefined) return { status: 401, body: { error: 'invalid_client' } }
  const form = new URLSearchParams(call.body)
  const type = form.get('grant_type')
  if (type !== 'authorization_code' && type !== 'refresh_token') return { status: 400, body: { error: 'unsupported_grant_type' } }
  const tokens =
    type === 'authorization_code'
      ? grants.exchangeCode(form.get('code') ?? '', clientId, form.get('redirect_uri') ?? '')
      : grants.refresh(form.get('refresh_token') ?? '', clientId)
  if (tokens) return { status: 200, body: tokens }
  const error_description = type === 'refresh_token' ? 'Incorrect or invalid refresh token' : 'Invalid authorization code'
  return { status: 400, body: { error: 'invalid_grant', error_description } }
}

/** Accepts `token` as JSON or as a form. */
export function handleRevoke(call: Call, grants: Grants, client: Client): Reply {
  if (authenticate(call, client) === undefined) return { status: 401, body: { error: 'invalid_client' } }
  const json = parseJson(call.body)
  const token =
    typeof json === 'object' && json !== null && 'token' in json ? String(json.token) : new URLSearchParams(call.body).get('token')
  return grants.revoke(token ?? '') ? { status: 200, body: {} } : { status: 400, body: { error: 'invalid_request' } }
}

export function discovery(base: string): Reply {
  return {
    status: 200,
    body: {
      issuer: `${base}/op/v1`,
      authorization_endpoint: `${base}/connect/oauth2`,
      token_endpoint: `${base}${tokenPath}`,
      revocation_endpoint: `${base}${revokePaths[0]}`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      scopes_supported: [scope],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    },
  }
}

function findProblem(params: URLSearchParams, client: Client): string | undefined {
  const redirectUri = params.get('redirect_uri') ?? ''
  if (!params.get('client_id') || (client.clientId !== undefined && params.get('client_id') !== client.clientId))
    return 'unknown client_id.'
  if (!/^https?:\/\//.test(redirectUri) || !URL.canParse(redirectUri)) return 'redirect_uri is not a URL.'
  if (params.get('response_type') !== 'code') return 'response_type must be code.'
  if (!(params.get('scope') ?? '').split(' ').includes(scope)) return `scope must include ${scope}.`
  return params.get('state') ? undefined : 'state is missing.'
}

/** @returns the client's id; undefined if the Basic authentication is missing or wrong. */
function authenticate(call: Call, { clientId, clientSecret }: Client): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(call.headers.authorization ?? '')?.[1] ?? ''
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || (clientId !== undefined && id !== clientId)) return undefined
  return clientSecret === undefined || secret === clientSecret ? id : undefined
}

function form(params: URLSearchParams): string {
  const fields = [...params].map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  return `<p>Connect <strong>${escapeHtml(companyName)}</strong> to the application?</p>
<p class="note">It will be able to read and write the company's accounting data. This page simulates Intuit’s.</p>
<form method="post" action="/connect/oauth2">${fields.join('')}
<button name="answer" value="connect">Connect</button> <button name="answer" value="cancel">Cancel</button></form>`
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>QuickBooks simulator</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 4rem auto; max-width: 30rem; padding: 0 1rem }
.note { color: light-dark(#666, #aaa); font-size: .9rem }
button { font: inherit; padding: .4rem 1.2rem }
</style>
</head>
<body>
<h1>QuickBooks</h1>
${body}
</body>
</html>
`
}
