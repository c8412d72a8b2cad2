import type { Language } from '../../../../shared/translations.ts'
import { requirePractice } from '../../../../ui/client/session.ts'
import type { Openings } from '../../../self-booking/web/embed/TimePicker.tsx'
import type { LinkState } from '../../link-rules.ts'
import type { RescheduleInput } from '../embed/RescheduleForm.tsx'

/** The appointment behind a link, as the API returns it: instants are ISO strings. */
export interface Linked {
  state: LinkState
  firstName: string
  startsAt: string
  provider: string | null
  place: string
  /** Null: the link does not name it. */
  visit: { name: string; nameFr: string | null; minutes: number } | null
  askedAt: string | null
  openDays: number[]
  /** Until when the patient may move or cancel it here; null: they may not. */
  changeableUntil: string | null
  /** What cancelling gives back and, later, costs, in cents; null: nothing was accepted when it was booked. */
  terms: { depositCents: number; lateFeeCents: number; isFeeCharged: boolean } | null
  /** Of a cancelled one: what became of the deposit, and the fee. */
  moneyLines: Record<Language, string[]>
  /** Of a cancelled one: its visit, if it can be booked online. */
  bookAgainId: string | null
}

/** Why a call failed. */
export type LinkProblem = 'tooMany' | 'tooLate' | 'taken' | 'unexpected' | 'connection'
/** The result of a call: the appointment, an unusable link, a changed appointment, or a failure. */
export type LinkResult =
  | { name: 'known'; linked: Linked }
  | { name: 'unknown' }
  | { name: 'changed' }
  | { name: 'failed'; problem: LinkProblem }

const timeoutMs = 30_000
export const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function callLink(path = '', body?: object): Promise<LinkResult> {
  const result = await callFor<Linked>(path, body)
  return result.name === 'answered' ? { name: 'known', linked: result.answer } : result
}

type Result<Answer> = { name: 'answered'; answer: Answer } | Exclude<LinkResult, { name: 'known' }>

async function callFor<Answer>(path: string, body?: object): Promise<Result<Answer>> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    // The page shows times in the practice's time zone, which is part of the practice.
    const [response] = await Promise.all([
      fetch(`/api/appointment-links/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'answered', answer: (await response.json()) as Answer }
    if (response.status === 404 || (response.status === 422 && !body)) return { name: 'unknown' }
    if (response.status === 409) {
      const { code } = (await response.json()) as { code: string }
      return code === 'TOO_LATE' ? failed('tooLate') : code === 'TAKEN' ? failed('taken') : { name: 'changed' }
    }
    return failed(response.status === 429 ? 'tooMany' : 'unexpected')
  } catch {
    return failed('connection')
  }
}

const failed = (problem: LinkProblem) => ({ name: 'failed' as const, problem })

/** Loads the appointment without changing it. */
export const loadAppointment = (): Promise<LinkResult> => callLink()
export const confirm = (): Promise<LinkResult> => callLink('/confirmation', {})
export const askForAnother = ({ words, ...request }: RescheduleInput): Promise<LinkResult> =>
  callLink('/requests', { ...request, words: words.trim() === '' ? null : words })
/** @param feeCents the fee that the patient was shown. */
export const cancel = (reason: string, feeCents: number): Promise<LinkResult> =>
  callLink('/cancellation', { reason: reason.trim() || null, feeCents })

/** The times of some days to which it can be moved; null: they could not be loaded. */
export async function fetchOpenings(from: string, days: number): Promise<Openings | null> {
  const result = await callFor<Openings>(`/openings?${new URLSearchParams({ from, days: String(days) })}`)
  return result.name === 'answered' ? result.answer : null
}

/** Moves it, and opens its new link. */
export async function move(startsAt: string): Promise<LinkResult> {
  const result = await callFor<{ token: string }>('/time', { startsAt })
  if (result.name !== 'answered') return result
  history.replaceState(history.state, '', `${location.pathname.split('/').slice(0, 2).join('/')}/${result.answer.token}${location.search}`)
  return callLink()
}
