import type { Outcome } from '../calls.ts'
import type { Failure, FailureKind, Result } from './mailbox.ts'

type More = { isUncertain?: boolean; retryAfter?: number | undefined }

export const failure = (kind: FailureKind, message: string, { isUncertain = false, retryAfter }: More = {}): Failure => ({
  ok: false,
  kind,
  message,
  isUncertain,
  ...(retryAfter !== undefined && { retryAfter }),
})

const outcomes: Record<FailureKind, Outcome> = {
  reconnect: 'credentials',
  busy: 'limited',
  away: 'away',
  missing: 'refused',
  refused: 'refused',
  unreadable: 'unreadable',
}
export const outcomeOf = (result: Result<unknown>): Outcome => (result.ok ? 'ok' : outcomes[result.kind])

const unreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** No response: an email may have been sent unless no connection was made. @param who the provider's display name. */
export function noAnswer(error: unknown, who: string, isSend: boolean): Failure {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  const isUnreached = typeof cause?.code === 'string' && unreached.includes(cause.code)
  return failure('away', `${who} does not answer`, { isUncertain: isSend && !isUnreached })
}

/** @param header Retry-After: seconds, or a date. @returns seconds; undefined when it is neither. */
export function secondsToWait(header: string | null | undefined, now = Date.now()): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1_000))
}

/** Whether a provider's id is safe in a URL path: dots alone would lead out of its folder. */
export function isId(id: string): boolean {
  return id !== '' && !/^\.{1,2}$/.test(decoded(id))
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
