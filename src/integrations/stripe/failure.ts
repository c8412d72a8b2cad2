import { z } from 'zod'
import type { Outcome } from '../calls.ts'

/** `declined`: the bank or Stripe refused the card. `refused`: the request was not valid. The others: Stripe was not available to us. */
export type StripeFailureKind = 'declined' | 'refused' | 'credentials' | 'rate-limit' | 'unavailable' | 'unreachable' | 'unknown'

export type StripeFailure = {
  ok: false
  kind: StripeFailureKind
  /** No one knows whether Stripe did it. The same call with the same idempotency key finds out. */
  isUncertain: boolean
  /** Stripe's message, which may name what someone typed: for the screen, not for the log. */
  message: string
  /** Stripe's code, such as `card_declined` with `insufficient_funds` as its reason: the reason if there is one. */
  code: string | null
}
export type Result<Value> = { ok: true; value: Value } | StripeFailure

/** An error of the package, whose `type` is the name of its class. */
const thrown = z.object({
  type: z.string(),
  message: z.string().default(''),
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
  statusCode: z.number().nullish(),
  detail: z.unknown(),
})

/** Errors of a connection that was never made. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']

const kindByType: Record<string, StripeFailureKind> = {
  StripeCardError: 'declined',
  StripeInvalidRequestError: 'refused',
  StripeIdempotencyError: 'refused',
  StripeAuthenticationError: 'credentials',
  StripePermissionError: 'credentials',
  StripeRateLimitError: 'rate-limit',
}

/** What an error of the package means. */
export function failureFrom(error: unknown): StripeFailure {
  const parsed = thrown.safeParse(error)
  if (!parsed.success) return uncertain(String(error))
  const { type, message, code, decline_code: reason, statusCode, detail } = parsed.data
  const failed = (kind: StripeFailureKind): StripeFailure => ({
    ok: false,
    kind,
    isUncertain: false,
    message,
    code: reason || code || null,
  })
  const kind = kindByType[type]
  if (kind) return failed(kind)
  if (type === 'StripeConnectionError' && neverConnected.includes(systemCode(detail))) return failed('unreachable')
  // Stripe says 503 for a request that it has not begun. After any other 5xx, or without a response, it may have done it.
  return statusCode === 503 ? failed('unavailable') : uncertain(message)
}

export const uncertain = (message: string): StripeFailure => ({ ok: false, kind: 'unknown', isUncertain: true, message, code: null })

const systemCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const outcomes: Record<StripeFailureKind, Outcome> = {
  declined: 'refused',
  refused: 'refused',
  credentials: 'credentials',
  'rate-limit': 'limited',
  unavailable: 'away',
  unreachable: 'away',
  unknown: 'away',
}
export const outcomeOf = (result: { ok: true } | StripeFailure): Outcome => (result.ok ? 'ok' : outcomes[result.kind])
