import { z } from 'zod'
import { failure, noAnswer, secondsToWait } from './failure.ts'
import type { Failure } from './mailbox.ts'

const who = 'Gmail'

/** It was a success, so that a mail has most likely gone out. */
export const unreadable = (isSend: boolean): Failure =>
  failure('unreadable', `${who} answered in words that cannot be read`, { isUncertain: isSend })

export const unanswered = (error: unknown, isSend: boolean): Failure => noAnswer(error, who, isSend)

const refusal = z.object({
  error: z.object({ message: z.string().default(''), errors: z.array(z.object({ reason: z.string().default('') })).default([]) }),
})

/** Google says these of too many calls with a 403. */
const limits = ['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded', 'concurrentLimitExceeded']

/** What an answer that is no success means. @param body as JSON; undefined when it is none, as a gateway's page. */
export function gmailFailure(answer: { status: number; body: unknown; retryAfter: string | null }, isSend: boolean): Failure {
  const { status } = answer
  const read = refusal.safeParse(answer.body)
  const { message, errors } = read.success ? read.data.error : { message: '', errors: [] }
  const said = message || `${who} answered ${status}`
  // Google's own word alone ends a connection.
  if (status === 401) return read.success ? failure('reconnect', said) : failure('away', said)
  const isLimited = status === 403 && errors.some(({ reason }) => limits.includes(reason))
  if (status === 429 || isLimited) return failure('busy', said, { retryAfter: secondsToWait(answer.retryAfter ?? timeIn(message)) })
  if (status >= 500 || status === 408) return failure('away', said, { isUncertain: isSend })
  // An id that cannot be one is answered with 400.
  const isMissing = status === 404 || (status === 400 && /^Invalid (id value|attachment token)/.test(message))
  return failure(isMissing ? 'missing' : 'refused', said)
}

/** Google's 429 says when it is over in a sentence. */
const timeIn = (message: string): string | undefined => /Retry after (\S+Z)/.exec(message)?.[1]

const thrown = z.object({
  response: z.object({ status: z.number(), data: z.object({ error: z.string().optional() }).catch({}).optional() }),
})

/** What Google's package threw when it was asked for tokens. Its messages are not passed on: they may hold what was sent. */
export function tokenFailure(error: unknown, { isExchange }: { isExchange: boolean }): Failure {
  const read = thrown.safeParse(error)
  if (!read.success) return unanswered(error, false)
  const { status, data } = read.data.response
  const said = data?.error ?? `Google answered ${status}`
  if (status === 429) return failure('busy', said)
  if (status >= 500 || status < 400) return failure('away', said)
  // A client id or secret that is wrong here is no fault of the person's, and their consent stands.
  const isGone = said === 'invalid_grant' || said === 'unauthorized_client'
  return failure(isGone && !isExchange ? 'reconnect' : 'refused', said)
}
