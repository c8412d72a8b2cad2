import { NylasApiError, NylasOAuthError, NylasSdkTimeoutError } from 'nylas'
import { failure, noAnswer, secondsToWait } from '../failure.ts'
import type { Failure } from '../mailbox.ts'

const who = 'Nylas'

/** It was a success, so that a mail has most likely gone out. */
export const unreadable = (isSend: boolean): Failure => failure('unreadable', `${who} sent an unreadable response`, { isUncertain: isSend })

/** What the package threw. Its own sentences quote whole answers: only those of Nylas' errors are passed on. */
export function nylasFailure(error: unknown, isSend: boolean): Failure {
  if (error instanceof NylasApiError) return refusalOf(error, isSend)
  if (error instanceof NylasOAuthError) return oauthRefusalOf(error)
  if (error instanceof NylasSdkTimeoutError) return noAnswer(error, who, isSend)
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Could not parse response')) return unreadable(isSend)
  // A refusal that is not in Nylas' words is that of a gateway in between; the package does not tell its status.
  return noAnswer(error, who, isSend)
}

function refusalOf({ statusCode: status = 0, type, message, headers, providerError }: NylasApiError, isSend: boolean): Failure {
  const reply = message || `${who} answered ${status}`
  if (status === 401 || type === 'grant.not_found') return failure('reconnect', reply)
  // Google says so of too many calls as well, and Nylas passes the status on.
  const isLimited = status === 403 && /rateLimitExceeded|dailyLimitExceeded/i.test(JSON.stringify(providerError ?? ''))
  if (status === 429 || isLimited) return failure('busy', reply, { retryAfter: secondsToWait(headers?.['retry-after']) })
  if (status >= 500 || status === 408) return failure('away', reply, { isUncertain: isSend })
  return failure(status === 404 ? 'missing' : 'refused', reply)
}

/** Of the exchange of a code: whatever is wrong with it, it is worth nothing. */
function oauthRefusalOf({ statusCode: status = 0, error, errorDescription, headers }: NylasOAuthError): Failure {
  const reply = errorDescription || error || `${who} answered ${status}`
  if (status === 429) return failure('busy', reply, { retryAfter: secondsToWait(headers?.['retry-after']) })
  return failure(status >= 500 ? 'away' : 'refused', reply)
}
