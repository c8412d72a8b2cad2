import { requirePractice } from '../../../../ui/client/session.ts'
import type { EntryStatus, ShownState } from '../../rules.ts'
import type { Wish } from '../../wish-rules.ts'

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

/** What a patient waits for. */
export interface Place extends Wish {
  status: EntryStatus
  firstName: string
  visit: string
  visitFr: string | null
  /** The visit, if it can be booked online. */
  bookableId: string | null
}

export type LinkProblem = 'tooMany' | 'unexpected' | 'connection'
/** An unusable link, or a failure. */
export type Unknown = { name: 'unknown' } | { name: 'failed'; problem: LinkProblem }
/** The result of a call: what the link is about, or why that is not known. */
type Result<Found> = { name: 'known'; found: Found } | Unknown
export type OfferResult = Result<Offer>
export type PlaceResult = Result<Place>

const timeoutMs = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''
const failed = (problem: LinkProblem) => ({ name: 'failed' as const, problem })

async function call<Found>(kind: 'offers' | 'places', path = '', body?: object): Promise<Result<Found>> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    // The page shows times in the practice's time zone, which is part of the practice.
    const [response] = await Promise.all([
      fetch(`/api/waiting-${kind}/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'known', found: (await response.json()) as Found }
    if (response.status === 404 || response.status === 422) return { name: 'unknown' }
    return failed(response.status === 429 ? 'tooMany' : 'unexpected')
  } catch {
    return failed('connection')
  }
}

/** The page where an offer with a deposit is booked: it holds the time, shows the terms and takes the card. */
export const offeredTimePath = (language: string): string => `/book?${new URLSearchParams({ offer: tokenOf(), language })}`

/** Loads the offer without answering it. */
export const loadOffer = () => call<Offer>('offers')
export const accept = () => call<Offer>('offers', '/acceptance', {})
export const decline = (stops: boolean) => call<Offer>('offers', '/refusal', { stops })

/** Loads what the patient waits for. */
export const loadPlace = () => call<Place>('places')
export const leave = () => call<Place>('places', '/leave', {})
