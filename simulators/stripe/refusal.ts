/** Errors in Stripe's format. */
import type { Reply } from '../http.ts'

type Details = {
  type?: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: object
  setup_intent?: object
}

/** Thrown by a handler. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly details: Details
  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.details = details
  }
  reply(): Reply {
    const { type = 'invalid_request_error', code, ...others } = this.details
    const docs = code && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
    return { status: this.status, body: { error: { type, message: this.message, ...docs, ...others } } }
  }
}

export const missing = (what: string, id: string, param = 'id'): StripeRefusal =>
  new StripeRefusal(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param })

/** Stripe's reply for an injected status. @param retryAfter seconds. */
export function statusReply(status: number, retryAfter: number): Reply {
  const headers = { 'retry-after': String(retryAfter) }
  if (status === 401) return new StripeRefusal(401, 'Invalid API Key provided').reply()
  if (status === 429) return { ...new StripeRefusal(429, 'Too many requests', { code: 'rate_limit' }).reply(), headers }
  return new StripeRefusal(status, 'An unknown error occurred', { type: status >= 500 ? 'api_error' : 'invalid_request_error' }).reply()
}
