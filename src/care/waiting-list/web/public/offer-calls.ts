import { requirePractice } from '../../../../ui/client/session.ts'
import type { ShownState } from '../../rules.ts'

/** The offer behind a link, as the API returns it: instants are ISO strings. */
export interface Offer {
  state: ShownState
  firstName: string
  visit: string
  visitFr: string | null
  minutes: number
  startsAt: string
  provider: string | null
  place: string
  expiresAt: string
  /** What is paid with the booking, in cents; 0: a card is kept; null: nothing. */
  depositCents: number | null
  link: string | null
  /** Whether the patient still waits for this visit. */
  isWaiting: boolean
  /** The visit, if it can be booked online. */
  bookableId: string | null
}

export type OfferProblem = 'tooMany' | 'unexpected' | 'connection'
/** The result of a call: the offer, an unusable link, or a failure. */
export type OfferResult = { name: 'known'; offer: Offer } | { name: 'unknown' } | { name: 'failed'; problem: OfferProblem }

const timeoutMs = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''
const failed = (problem: OfferProblem) => ({ name: 'failed' as const, problem })

async function call(path = '', body?: object): Promise<OfferResult> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    // The page shows times in the practice's time zone, which is part of the practice.
    const [response] = await Promise.all([
      fetch(`/api/waiting-offers/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'known', offer: (await response.json()) as Offer }
    if (response.status === 404 || response.status === 422) return { name: 'unknown' }
    return failed(response.status === 429 ? 'tooMany' : 'unexpected')
  } catch {
    return failed('connection')
  }
}

/** The page where an offer with a deposit is booked: it holds the time, shows the terms and takes the card. */
export const offeredTimePath = (language: string): string => `/book?${new URLSearchParams({ offer: tokenOf(), language })}`

/** Loads the offer without answering it. */
export const loadOffer = (): Promise<OfferResult> => call()
export const accept = (): Promise<OfferResult> => call('/acceptance', {})
export const decline = (stops: boolean): Promise<OfferResult> => call('/refusal', { stops })
