/** Calls Gmail's REST API, and renews its tokens. Nothing is retried, except a call refused for an expired token. */
import { OAuth2Client } from 'google-auth-library'
import type { z } from 'zod'
import { observeCall } from '../../calls.ts'
import { outcomeOf } from '../failure.ts'
import { gmailFailure, tokenFailure, unanswered, unreadable } from './failure.ts'
import type { Result } from '../mailbox.ts'

export type GmailAccount = {
  clientId: string
  clientSecret: string
  /** Replaces Google's several base URLs. */
  baseUrl?: string
  /** For one call, including the response. */
  timeoutSeconds: number
}

export type GmailTokens = {
  refreshToken: string
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Milliseconds: a token that is about to expire is renewed first. */
const margin = 60_000

export function oauthClient({ clientId, clientSecret, baseUrl, timeoutSeconds }: GmailAccount, redirectUri?: string): OAuth2Client {
  const own = baseUrl?.replace(/\/+$/, '')
  const client = new OAuth2Client({
    clientId,
    clientSecret,
    ...(redirectUri !== undefined && { redirectUri }),
    transporterOptions: { timeout: timeoutSeconds * 1_000 },
    ...(own !== undefined && {
      endpoints: { oauth2AuthBaseUrl: `${own}/o/oauth2/v2/auth`, oauth2TokenUrl: `${own}/token`, oauth2RevokeUrl: `${own}/revoke` },
    }),
  })
  // The package would request tokens up to four times, each time for as long as a call may take.
  client.transporter.interceptors.request.add({
    resolved: async (config) => Object.assign(config, { retry: false, retryConfig: { retry: 0 } }),
  })
  return client
}

export type Query = Record<string, string | readonly string[] | undefined>
export type Call = {
  method?: 'GET' | 'POST'
  /** The path after `users/me/`. */
  path: string
  query?: Query
  /** JSON. */
  body?: object
  /** Instead of `body`: a raw email, for the upload URL. */
  upload?: { type: string; bytes: Uint8Array<ArrayBuffer> }
  isSend?: boolean
}

/** @param onTokens stores new tokens; awaited before they are used. */
export function createGmailClient(account: GmailAccount, tokens: GmailTokens, onTokens: (tokens: GmailTokens) => Promise<void>) {
  const { baseUrl = 'https://gmail.googleapis.com', timeoutSeconds } = account
  const own = baseUrl.replace(/\/+$/, '')
  let current = tokens
  let renewal: Promise<Result<GmailTokens>> | undefined

  const renew = () => observeCall({ vendor: 'gmail', outcomeOf }, requestTokens)

  async function requestTokens(): Promise<Result<GmailTokens>> {
    const client = oauthClient(account)
    client.setCredentials({ refresh_token: current.refreshToken })
    try {
      await client.getAccessToken()
    } catch (error) {
      return tokenFailure(error, { isExchange: false })
    }
    const { access_token, expiry_date } = client.credentials
    if (!access_token) return unreadable(false)
    const renewed = { ...current, accessToken: access_token, expiresAt: expiry_date ?? Date.now() }
    await onTokens(renewed)
    current = renewed
    return { ok: true, value: renewed }
  }

  /** @param refused the token that was just refused. */
  async function accessToken(refused?: string): Promise<Result<string>> {
    const isGood = current.accessToken !== '' && current.accessToken !== refused
    if (isGood && (refused !== undefined || current.expiresAt - margin > Date.now())) return { ok: true, value: current.accessToken }
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    const renewed = await renewal
    return renewed.ok ? { ok: true, value: renewed.value.accessToken } : renewed
  }

  const once = (call: Call, token: string) =>
    observeCall({ vendor: 'gmail', isEmail: call.isSend ?? false, outcomeOf }, () => request(call, token))

  async function request(
    { method = 'GET', path, query = {}, body, upload, isSend = false }: Call,
    token: string,
  ): Promise<Result<unknown>> {
    const url = new URL(`${own}${upload ? '/upload' : ''}/gmail/v1/users/me/${path}`)
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values ?? []].flat()) url.searchParams.append(name, value)
    }
    const type = upload?.type ?? (body && 'application/json')
    let answer: { status: number; body: unknown; retryAfter: string | null }
    try {
      const response = await fetch(url, {
        method,
        headers: { accept: 'application/json', authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) },
        body: upload?.bytes ?? (body ? JSON.stringify(body) : null),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutSeconds * 1_000),
      })
      answer = { status: response.status, body: parseJson(await response.text()), retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      return unanswered(error, isSend)
    }
    return answer.status >= 200 && answer.status < 300 ? { ok: true, value: answer.body } : gmailFailure(answer, isSend)
  }

  /** Uses the current token, and retries once with a newer one when it is refused: a refused call was not carried out. */
  async function authorised(call: Call): Promise<Result<unknown>> {
    const first = await accessToken()
    if (!first.ok) return first
    const result = await once(call, first.value)
    if (result.ok || result.kind !== 'reconnect') return result
    const newer = await accessToken(first.value)
    return newer.ok ? await once(call, newer.value) : newer
  }

  return async function ask<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<Result<z.output<Shape>>> {
    const result = await authorised(call)
    if (!result.ok) return result
    const read = shape.safeParse(result.value)
    return read.success ? { ok: true, value: read.data } : unreadable(call.isSend ?? false)
  }
}

/** The parsed body; undefined when it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
