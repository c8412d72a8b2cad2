/** Nylas’s errors in their original format: `{ request_id, error: { type, message, provider_error? } }`. */
import type { Reply } from '../http.ts'

/** Thrown where Nylas refuses a call; the server sends its reply. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly providerError: unknown

  constructor(status: number, type: string, message: string, providerError?: unknown) {
    super(message)
    this.status = status
    this.type = type
    this.providerError = providerError
  }

  reply(headers: Record<string, string> = {}): Reply {
    const request_id = crypto.randomUUID()
    const provider_error = this.providerError
    const error = { type: this.type, message: this.message, ...(provider_error !== undefined && { provider_error }) }
    return { status: this.status, body: { request_id, error }, headers: { 'x-request-id': request_id, ...headers } }
  }
}

export const invalid = (message: string) => new Refusal(400, 'invalid_request_error', message)
export const notFound = () => new Refusal(404, 'not_found_error', 'requested object not found')
export const unknownGrant = () => new Refusal(404, 'grant.not_found', 'No Grant found for this Grant ID / Account ID')
/** Missing or wrong API key. */
export const unauthorized = () => new Refusal(401, 'unauthorized', 'Unauthorized')

/** The grant exists, but the provider no longer accepts its tokens: the user has to sign in again. */
export const expired = () =>
  new Refusal(401, 'unauthorized', 'Unauthorized', {
    code: 401,
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  })

/** Nylas’s reply for an injected status. @param retryAfter seconds, with 429. */
export function statusReply(status: number, retryAfter: number): Reply {
  if (status === 401) return unauthorized().reply()
  if (status === 403) return new Refusal(403, 'insufficient_scopes', 'missing provider scopes required to send email').reply()
  if (status === 404) return notFound().reply()
  if (status === 429) {
    const message = 'Too many requests, please try again shortly.'
    return new Refusal(429, 'rate_limit_error', message).reply({ 'retry-after': String(retryAfter) })
  }
  if (status === 504) return new Refusal(504, 'provider_error', 'Provider request timed out.').reply()
  if (status >= 500) return new Refusal(status, 'api.internal_error', 'Internal error, contact administrator.').reply()
  return new Refusal(status, 'invalid_request_error', 'Bad request').reply()
}
