/** Google's errors in their original format: `{ error: { code, message, errors: [{ message, domain, reason }], status } }`. */
import type { Reply } from '../http.ts'

/** Thrown where Gmail refuses a call; the server sends its reply. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(
    code: number,
    message: string,
    status: string,
    one: { message?: string; domain?: string; reason: string; location?: string; locationType?: string },
  ) {
    super(message)
    const errors = [{ message, domain: 'global', ...one }]
    this.reply = { status: code, body: { error: { code, message, errors, status } } }
  }
}

export const invalid = (message: string) => new Refusal(400, message, 'INVALID_ARGUMENT', { reason: 'invalidArgument' })
export const notFound = () => new Refusal(404, 'Requested entity was not found.', 'NOT_FOUND', { reason: 'notFound' })

export const unauthorized = () =>
  new Refusal(
    401,
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    'UNAUTHENTICATED',
    { message: 'Invalid Credentials', reason: 'authError', location: 'Authorization', locationType: 'header' },
  )

export const insufficient = () =>
  new Refusal(403, 'Request had insufficient authentication scopes.', 'PERMISSION_DENIED', {
    message: 'Insufficient Permission',
    reason: 'insufficientPermissions',
  })

/** For a valid token with the address of another user's mailbox. */
export const delegationDenied = (email: string) =>
  new Refusal(403, `Delegation denied for ${email}`, 'PERMISSION_DENIED', { reason: 'forbidden' })

const quota =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:1'."

/** Gmail's reply for an injected status. With 429 it gives the retry time in the message, not in a header. */
export function statusReply(status: number, retryAfter: number, now: number): Reply {
  if (status === 401) return unauthorized().reply
  if (status === 403) return new Refusal(403, quota, 'PERMISSION_DENIED', { domain: 'usageLimits', reason: 'rateLimitExceeded' }).reply
  if (status === 404) return notFound().reply
  if (status === 429) {
    const message = `User-rate limit exceeded.  Retry after ${new Date(now + retryAfter * 1000).toISOString()}`
    return new Refusal(429, message, 'RESOURCE_EXHAUSTED', { domain: 'usageLimits', reason: 'rateLimitExceeded' }).reply
  }
  if (status === 503) return new Refusal(503, 'The service is currently unavailable.', 'UNAVAILABLE', { reason: 'backendError' }).reply
  if (status >= 500) return new Refusal(status, 'Internal error encountered.', 'INTERNAL', { reason: 'backendError' }).reply
  return invalid('Request contains an invalid argument.').reply
}
