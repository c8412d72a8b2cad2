import { requirePractice } from '../../../../ui/client/session.ts'
import type { LinkState } from '../../link-rules.ts'
import type { RescheduleInput } from '../embed/RescheduleForm.tsx'

/** The appointment behind a link, as the API returns it: instants are ISO strings. */
export interface Linked {
  state: LinkState
  firstName: string
  startsAt: string
  provider: string | null
  place: string
  askedAt: string | null
  openDays: number[]
}

/** Why a call failed. */
export type LinkProblem = 'tooMany' | 'unexpected' | 'connection'
/** The result of a call: the appointment, an unusable link, a changed appointment, or a failure. */
export type LinkResult =
  | { name: 'known'; linked: Linked }
  | { name: 'unknown' }
  | { name: 'changed' }
  | { name: 'failed'; problem: LinkProblem }

const timeoutMs = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function callLink(path = '', body?: object): Promise<LinkResult> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    // The page shows times in the practice's time zone, which is part of the practice.
    const [response] = await Promise.all([
      fetch(`/api/appointment-links/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'known', linked: (await response.json()) as Linked }
    if (response.status === 404 || (response.status === 422 && !body)) return { name: 'unknown' }
    if (response.status === 409) return { name: 'changed' }
    return { name: 'failed', problem: response.status === 429 ? 'tooMany' : 'unexpected' }
  } catch {
    return { name: 'failed', problem: 'connection' }
  }
}

/** Loads the appointment without changing it. */
export const loadAppointment = (): Promise<LinkResult> => callLink()
export const confirm = (): Promise<LinkResult> => callLink('/confirmation', {})
export const askForAnother = ({ words, ...wish }: RescheduleInput): Promise<LinkResult> =>
  callLink('/requests', { ...wish, words: words.trim() === '' ? null : words })
