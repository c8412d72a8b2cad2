import type { Failure, FailureKind } from './mailbox.ts'

type More = { isUncertain?: boolean; retryAfter?: number | undefined }

export const failure = (kind: FailureKind, message: string, { isUncertain = false, retryAfter }: More = {}): Failure => ({
  ok: false,
  kind,
  message,
  isUncertain,
  ...(retryAfter !== undefined && { retryAfter }),
})

const unreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** No answer came: a mail may have gone out unless nothing was reached at all. @param who the provider, as people know it. */
export function noAnswer(error: unknown, who: string, isSend: boolean): Failure {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  const isUnreached = typeof cause?.code === 'string' && unreached.includes(cause.code)
  return failure('away', `${who} does not answer`, { isUncertain: isSend && !isUnreached })
}

/** @param header Retry-After: seconds, or a date. @returns seconds; undefined when it says neither. */
export function secondsToWait(header: string | null | undefined, now = Date.now()): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1_000))
}

/** Whether an id of the provider's can stand in an address: one of dots alone would lead out of its folder. */
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
