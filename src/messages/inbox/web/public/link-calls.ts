import { requirePractice } from '../../../../ui/client/session.ts'
import type { Language } from '../../../../shared/translations.ts'
import type { TextLinkPurpose, TextLinkState } from '../../link-rules.ts'

export interface Shown {
  state: TextLinkState
  purpose: TextLinkPurpose
  canRenew: boolean
  language: Language | null
}

export type LinkProblem = 'tooMany' | 'notPossible' | 'unexpected' | 'connection'
export type LinkResult<Answer> =
  | { name: 'known'; answer: Answer }
  | { name: 'unknown' }
  | { name: 'failed'; problem: LinkProblem; code?: string }

const timeoutMs = 30_000
const codeOf = (): string => location.pathname.split('/')[2] ?? ''

async function callLink<Answer>(path: string, body?: object): Promise<LinkResult<Answer>> {
  try {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    const [response] = await Promise.all([
      fetch(`/api/text-links/${codeOf()}${path}`, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) }),
      requirePractice(),
    ])
    if (response.ok) return { name: 'known', answer: (await response.json()) as Answer }
    if (response.status === 404 || (response.status === 422 && !body)) return { name: 'unknown' }
    if (response.status === 429) return { name: 'failed', problem: 'tooMany' }
    if (response.status !== 409) return { name: 'failed', problem: 'unexpected' }
    const { code } = (await response.json()) as { code: string }
    return { name: 'failed', problem: 'notPossible', code }
  } catch {
    return { name: 'failed', problem: 'connection' }
  }
}

export const viewLink = () => callLink<Shown>('')
export const openLink = () => callLink<{ path: string }>('/opening', {})
export const renewLink = (key: string) => callLink<{ isSent: true }>('/renewal', { key })
