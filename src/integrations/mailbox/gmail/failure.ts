import { z } from 'zod'
import { failure, noAnswer, secondsToWait } from '../failure.ts'
import type { Failure } from '../mailbox.ts'

const who = 'Gmail'

/** The call succeeded, so the email was most likely sent. */
export const unreadable = (isSend: boolean): Failure => failure('unreadable', `${who} sent an unreadable response`, { isUncertain: isSend })

export const unanswered = (error: unknown, isSend: boolean): Failure => noAnswer(error, who, isSend)

const refusal = z.object({
  error: z.object({ message: z.string().default(''), errors: z.array(z.object({ reason: z.string().default('') })).default([]) }),
})

/** Google reports these rate limits with a 403. */
const limits = ['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded', 'concurrentLimitExceeded']

/** Classifies an error response. @param body as JSON; undefined when it is not JSON, such as a gateway's page. */
export function gmailFailure(answer: { status: number; body: unknown; retryAfter: string | null }, isSend: boolean): Failure {
  const { status } = answer
  const read = refusal.safeParse(answer.body)
  const { message, errors } = read.success ? read.data.error : { message: '', errors: [] }
  const reply = message || `${who} answered ${status}`
  // Only Google's own error ends a connection.
  if (status === 401) return read.success ? failure('reconnect', reply) : failure('away', reply)
  const isLimited = status === 403 && errors.some(({ reason }) => limits.includes(reason))
  if (status === 429 || isLimited) return failure('busy', reply, { retryAfter: secondsToWait(answer.retryAfter ?? timeIn(message)) })
  if (status >= 500 || status === 408) return failure('away', reply, { isUncertain: isSend })
  // Google answers 400 to a malformed id.
  const isMissing = status === 404 || (status === 400 && /^Invalid (id value|attachment token)/.test(message))
  return failure(isMissing ? 'missing' : 'refused', reply)
}

/** Google's 429 names the end of the limit in a sentence. */
const timeIn = (message: string): string | undefined => /Retry after (\S+Z)/.exec(message)?.[1]

const thrown = z.object({
  response: z.object({ status: z.number(), data: z.object({ error: z.string().optional() }).catch({}).optional() }),
})

/**
 * Classifies an error of Google's package while requesting tokens. Its messages are not passed on, because they may contain the request.
 */
export function tokenFailure(error: unknown, { isExchange }: { isExchange: boolean }): Failure {
  const read = thrown.safeParse(error)
  if (!read.success) return unanswered(error, false)
  const { status, data } = read.data.response
  const reply = data?.error ?? `Google answered ${status}`
  if (status === 429) return failure('busy', reply)
  if (status >= 500 || status < 400) return failure('away', reply)
  // A wrong client id or secret here is not the person's fault, and their consent stays valid.
  const isGone = reply === 'invalid_grant' || reply === 'unauthorized_client'
  return failure(isGone && !isExchange ? 'reconnect' : 'refused', reply)
}
