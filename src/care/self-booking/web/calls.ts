import type { Language } from '../../../shared/translations.ts'
import { type AttributionName, attributionNames } from '../rules.ts'
import type { CardRequest } from '../../../ui/patient/card/stripe-js.ts'
import type { DepositKind, VisitTerms } from '../../availability/terms-rules.ts'
import type { Openings } from './embed/TimePicker.tsx'
import type { Times } from './wait/WaitStep.tsx'

/** The practice and what can be booked, as the API returns it: instants are ISO strings. */
export interface Offers {
  practice: {
    name: string
    subtitle: string
    subtitleFr: string | null
    phone: string
    address: string
    timeZone: string
    openDays: number[]
    brandHue: number | null
    logo: string | null
    demo: boolean
  }
  visits: Visit[]
}
export interface Visit {
  id: string
  name: string
  nameFr: string | null
  description: string | null
  descriptionFr: string | null
  minutes: number
  patients: 'all' | 'new' | 'known'
  changeHours: number
  priceCents: number | null
  depositKind: DepositKind
  depositCents: number
  lateFeeCents: number
  providers: { id: string; name: string }[]
}
export interface Held {
  heldUntil: string
  startsAt: string
  provider: string | null
  /** What the patient has to accept and pay; null: nothing. */
  terms: VisitTerms | null
}
/** Stripe's form, and to what the patient agrees by leaving the card; null: it is not kept. */
export type PaymentForm = CardRequest & { consent: string | null }
export interface Booked {
  startsAt: string
  minutes: number
  provider: string | null
  place: string
  link: string
  calendarFile: string
  forms: { name: string; nameFr: string; link: string }[]
}

/** Codes of refusals that the page explains; any other is `UNEXPECTED`, and a lost connection is `CONNECTION`. */
export type Problem =
  | 'TAKEN'
  | 'OVER'
  | 'NO_VISIT'
  | 'NOT_FOR_YOU'
  | 'TOO_MANY_VISITS'
  | 'TOO_MANY_REQUESTS'
  | 'INVALID_CODE'
  | 'INVALID_INPUT'
  | 'UNPAID'
  | 'PROCESSING'
  | 'PAYMENTS_UNAVAILABLE'
  | 'CONNECTION'
  | 'UNEXPECTED'
const known: readonly string[] = [
  'TAKEN',
  'OVER',
  'NO_VISIT',
  'NOT_FOR_YOU',
  'TOO_MANY_VISITS',
  'TOO_MANY_REQUESTS',
  'INVALID_CODE',
  'INVALID_INPUT',
  'UNPAID',
  'PROCESSING',
  'PAYMENTS_UNAVAILABLE',
] satisfies Problem[]

/** `fields`: those that the server refused. */
export type Answer<Data> = { data: Data; problem: null } | { data: null; problem: Problem; fields: readonly string[] }

const timeoutMs = 30_000

async function call<Data>(path: string, body?: object): Promise<Answer<Data>> {
  try {
    const response = await fetch(`/api/booking${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    // A call without an answer has an empty body.
    const answer = JSON.parse((await response.text()) || 'null') as Data & { code?: string; data?: { fields?: Record<string, string> } }
    if (response.ok) return { data: answer, problem: null }
    const problem = known.includes(answer.code ?? '') ? (answer.code as Problem) : 'UNEXPECTED'
    return { data: null, problem, fields: Object.keys(answer.data?.fields ?? {}) }
  } catch {
    return { data: null, problem: 'CONNECTION', fields: [] }
  }
}

export interface Person {
  firstName: string
  lastName: string
  email: string
  phone: string
  words: string
}

export const fetchOffers = () => call<Offers>('')
export const fetchOpenings = async (visitTypeId: string, providerId: string | null, from: string, days: number) => {
  const asked = new URLSearchParams({ visitTypeId, from, days: String(days), ...(providerId !== null && { providerId }) })
  return (await call<Openings>(`/openings?${asked}`)).data
}
export const begin = (
  time: { key: string; visitTypeId: string; providerId: string | null; startsAt: string | null },
  { phone, words, ...person }: Person,
  language: Language,
) =>
  call<{ codeExpiresAt: string }>('/requests', {
    ...time,
    ...person,
    phone: phone.trim() || null,
    words: words.trim() || null,
    language,
    attribution: attribution(),
  })
export const resend = (key: string) => call<{ codeExpiresAt: string }>('/code', { key })
/** Without times if none was chosen. */
export const prove = (key: string, code: string) => call<Held | { heldUntil: null }>('/proof', { key, code })
export const wait = (key: string, times: Times) => call<null>('/waiting-list', { key, ...times })
export const holdTime = (key: string, providerId: string | null, startsAt: string) => call<Held>('/time', { key, providerId, startsAt })
/** Holds the time of an offer from the waiting list, by the token in its link. */
export const holdOffer = (token: string) => call<Held & { key: string; visitTypeId: string }>('/offers', { token })
/** Also while the page is left. */
const tell = (path: string, key: string): void =>
  void navigator.sendBeacon(`/api/booking${path}`, new Blob([JSON.stringify({ key })], { type: 'application/json' }))
/** Ends a booking that is not finished. */
export const leave = (key: string): void => tell('/end', key)
/** Frees the time of a booking that goes on when the page is loaded again. */
export const free = (key: string): void => tell('/time-release', key)
/** Accepts the terms and starts the payment; `form` is null if it is paid already. */
export const pay = (key: string, language: Language) =>
  call<{ heldUntil: string; form: PaymentForm | null }>('/payment', { key, language, acceptsTerms: true })
export const confirm = (key: string) => call<Booked>('/confirmation', { key })

/** All but the page before, which the browser names too. */
const inQuery = attributionNames.filter((name) => name !== 'referrer')

/** Where the patient comes from: what the link or the page that shows this one says, and the page before. */
function attribution(): Partial<Record<AttributionName, string>> {
  const query = new URLSearchParams(location.search)
  const found: Partial<Record<AttributionName, string>> = { landing_page: location.href }
  const referrer = query.get('referrer') ?? document.referrer
  if (referrer !== '') found.referrer = referrer
  for (const name of inQuery) if (query.has(name)) found[name] = query.get(name)!
  for (const name of attributionNames) if (found[name]) found[name] = found[name].slice(0, 2_000)
  return found
}
