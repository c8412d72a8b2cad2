/** Intuit's OAuth 2: a person connects the clinic to its QuickBooks company, and receives tokens. */
import { observeCall } from '../calls.ts'
import { parseJson } from './json.ts'
import { tokenRefusal, tokens } from './shapes.ts'

export type OAuthOptions = {
  clientId: string
  clientSecret: string
  /** The redirect URL, registered with Intuit word for word. */
  redirectUri: string
  /** Everything is below this address instead of Intuit's several ones. */
  baseUrl?: string | undefined
}

export type Tokens = {
  accessToken: string
  /** Valid once: each refresh returns the next one. */
  refreshToken: string
  /** Seconds from now. */
  accessExpiresIn: number
  refreshExpiresIn: number
}

/** `refused`: the code or token is invalid or expired. `away`: it may still be valid. */
export type TokenResult = { ok: true; tokens: Tokens } | { ok: false; kind: 'refused' | 'away'; message: string }

export const apiUrl = (baseUrl: string | undefined, isSandbox: boolean): string =>
  baseUrl ?? (isSandbox ? 'https://sandbox-quickbooks.api.intuit.com' : 'https://quickbooks.api.intuit.com')

const timeout = 30_000

export function createOAuth({ clientId, clientSecret, redirectUri, baseUrl }: OAuthOptions) {
  const own = baseUrl?.replace(/\/+$/, '')
  const authorizeAt = `${own ?? 'https://appcenter.intuit.com'}/connect/oauth2`
  const tokenAt = `${own ?? 'https://oauth.platform.intuit.com'}/oauth2/v1/tokens/bearer`
  const revokeAt = `${own ?? 'https://developer.api.intuit.com'}/v2/oauth2/tokens/revoke`
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  const ask = (form: Record<string, string>): Promise<TokenResult> =>
    observeCall(
      { vendor: 'quickbooks', outcomeOf: (result) => (result.ok ? 'ok' : result.kind === 'refused' ? 'credentials' : 'away') },
      () => requestTokens(form),
    )

  async function requestTokens(form: Record<string, string>): Promise<TokenResult> {
    let status: number
    let text: string
    try {
      const answer = await fetch(tokenAt, {
        method: 'POST',
        headers: { authorization, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form),
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      status = answer.status
      text = await answer.text()
    } catch {
      return { ok: false, kind: 'away', message: 'Intuit does not answer' }
    }
    const body = parseJson(text)
    const given = tokens.safeParse(body)
    if (status === 200 && given.success) {
      const { access_token, refresh_token, expires_in, x_refresh_token_expires_in } = given.data
      return {
        ok: true,
        tokens: {
          accessToken: access_token,
          refreshToken: refresh_token,
          accessExpiresIn: expires_in,
          refreshExpiresIn: x_refresh_token_expires_in,
        },
      }
    }
    const refusal = tokenRefusal.safeParse(body)
    // Only Intuit's own error ends a connection, not a gateway's page.
    return status >= 400 && status < 500 && refusal.success
      ? { ok: false, kind: 'refused', message: refusal.data.error }
      : { ok: false, kind: 'away', message: `Intuit answered ${status}` }
  }

  return {
    authorizeUrl(state: string): string {
      const url = new URL(authorizeAt)
      const asked = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'com.intuit.quickbooks.accounting',
        state,
      }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.toString()
    },
    exchange: (code: string) => ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    refresh: (refreshToken: string) => ask({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    /** Best effort: the tokens are deleted here even if Intuit cannot be reached. */
    async revoke(token: string): Promise<boolean> {
      const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' }
      const answer = await fetch(revokeAt, {
        method: 'POST',
        headers,
        body: JSON.stringify({ token }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      }).catch(() => null)
      await answer?.body?.cancel()
      return answer?.ok ?? false
    },
  }
}
