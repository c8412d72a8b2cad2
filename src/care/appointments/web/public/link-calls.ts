import { knownPractice } from '../../../../ui/client/session.ts'
import { type DayPart, linkMessages, type LinkState } from '../../link-rules.ts'

/** What a link shows, as it arrives: instants are ISO strings. */
export interface Linked {
  state: LinkState
  firstName: string
  startsAt: string
  provider: string | null
  place: string
  askedAt: string | null
  openDays: number[]
}
export interface Wished {
  /** The same for the same wish, however often it is sent. */
  key: string
  weekdays: number[]
  dayParts: DayPart[]
  words: string
}

/** What came of asking: the appointment; that the link is good for nothing; or why it is not known. */
export type Answer = { name: 'known'; linked: Linked } | { name: 'unknown' } | { name: 'changed' } | { name: 'failed'; message: string }

const patience = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function ask(path = '', body?: object): Promise<Answer> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    // The page says times on the practice's clock, which it has to know.
    const [response] = await Promise.all([
      fetch(`/api/appointment-links/${tokenOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(patience) }),
      knownPractice(),
    ])
    if (response.ok) return { name: 'known', linked: (await response.json()) as Linked }
    if (response.status === 404 || (response.status === 422 && !body)) return { name: 'unknown' }
    if (response.status === 409) return { name: 'changed' }
    return { name: 'failed', message: response.status === 429 ? linkMessages.tooMany : 'That did not work. Please try again.' }
  } catch {
    return { name: 'failed', message: 'That did not work. Please check your connection and try again.' }
  }
}

/** Changes nothing. */
export const lookUp = (): Promise<Answer> => ask()
export const confirm = (): Promise<Answer> => ask('/confirmation', {})
export const askForAnother = ({ words, ...wish }: Wished): Promise<Answer> =>
  ask('/requests', { ...wish, words: words.trim() === '' ? null : words })
