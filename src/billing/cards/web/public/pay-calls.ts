import { requirePractice } from '../../../../ui/client/session.ts'
import type { CardRequest } from '../../../../ui/patient/card/stripe-js.ts'
import type { Language } from '../../../../shared/translations.ts'
import type { PayLinkView } from '../../contract.ts'

/** Why a call failed: the code of a refusal, or the connection. */
export type PayProblem = 'tooMany' | 'tooMuch' | 'processing' | 'paid' | 'unavailable' | 'unexpected' | 'connection'
export type Reply<Value> = { name: 'known'; value: Value } | { name: 'unknown' } | { name: 'failed'; problem: PayProblem }

const problems: Record<string, PayProblem> = {
  TOO_MANY_REQUESTS: 'tooMany',
  TOO_MUCH: 'tooMuch',
  PROCESSING: 'processing',
  PAID: 'paid',
  CARDS_UNAVAILABLE: 'unavailable',
}

const timeoutMs = 45_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function call<Value>(path = '', body?: object): Promise<Reply<Value>> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    const [response] = await Promise.all([
      fetch(`/api/pay-links/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'known', value: (await response.json()) as Value }
    if (response.status === 404) return { name: 'unknown' }
    const { code = '' } = (await response.json().catch(() => ({}))) as { code?: string }
    return { name: 'failed', problem: problems[code] ?? 'unexpected' }
  } catch {
    return { name: 'failed', problem: 'connection' }
  }
}

/** Loads what the link pays, without changing it. */
export const loadPayment = (): Promise<Reply<PayLinkView>> => call()

export interface Choice {
  amountCents: number
  savesCard: boolean
  /** Whether later instalments may be charged to the card. */
  isAutomatic: boolean
  language: Language
  /** The same key starts the same payment. */
  idempotencyKey: string
}
export const startPayment = (choice: Choice): Promise<Reply<CardRequest>> => call('/payments', choice)
/** Ends the automatic payment of instalments. */
export const stopAutomatic = (): Promise<Reply<PayLinkView>> => call('/automatic-payments/stop', {})
/** Asks what became of the payment. */
export const checkPayment = (): Promise<Reply<PayLinkView>> => call('/checks', {})
