import type { Outcome } from '../calls.ts'
import { fault } from './shapes.ts'

/**
 * - `reconnect`: the access was revoked; only a person can connect again.
 * - `rate-limit`, `away`: temporary; a retry may succeed.
 * - `refused`: QuickBooks read the request and refused it.
 * - `unreadable`: the response is not one of QuickBooks.
 */
export type FailureKind = 'reconnect' | 'rate-limit' | 'away' | 'refused' | 'unreadable'

export type QuickBooksFailure = {
  ok: false
  kind: FailureKind
  /** A create may have been kept although it failed: asking again with the same requestid tells. */
  isUncertain: boolean
  /** The vendor's words, which may name a customer: for the screen of the person who asked, not for the log. */
  message: string
  /** The vendor's number: 6240 is a name that exists, 5010 an old version, 610 an object that is not there. */
  code?: string
}

export type Result<Value> = { ok: true; value: Value } | QuickBooksFailure

export const failure = (kind: FailureKind, message: string, isUncertain = false): QuickBooksFailure => ({
  ok: false,
  kind,
  message,
  isUncertain,
})

/** No answer came: it may have been kept unless nothing was reached at all. */
export function noAnswer(error: unknown): QuickBooksFailure {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined
  const isUnreached = cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND' || cause?.code === 'EAI_AGAIN'
  return failure('away', 'QuickBooks does not answer', !isUnreached)
}

/** Classifies an error response. */
export function failureOf(status: number, body: unknown): QuickBooksFailure {
  const reply = fault.safeParse(body)
  const [error] = reply.success ? reply.data.Fault.Error : []
  const message = error?.Detail || error?.Message || `QuickBooks answered ${status}`
  const code = error?.code === undefined ? {} : { code: error.code }
  if (status === 401) return { ...failure('reconnect', 'QuickBooks no longer accepts the connection'), ...code }
  if (status === 429) return { ...failure('rate-limit', 'QuickBooks is limiting requests'), ...code }
  // A failing server may have failed after storing the object.
  if (status >= 500) return { ...failure('away', message, true), ...code }
  if (reply.success && status >= 400) return { ...failure('refused', message), ...code }
  return failure('unreadable', `QuickBooks sent an unreadable response with status ${status}`, true)
}

const outcomes: Record<FailureKind, Outcome> = {
  reconnect: 'credentials',
  'rate-limit': 'limited',
  away: 'away',
  refused: 'refused',
  unreadable: 'unreadable',
}
export const outcomeOf = (result: Result<unknown>): Outcome => (result.ok ? 'ok' : outcomes[result.kind])

/** Whether a retry may succeed. */
export const isPassing = ({ kind }: QuickBooksFailure): boolean => kind === 'rate-limit' || kind === 'away' || kind === 'unreadable'
