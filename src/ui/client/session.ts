import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import type { session as sessionShape } from '../../kernel/access/session-contract.ts'
import { clearPatients } from './recent-patients.ts'
import { takePlace } from './return-place.ts'
import type { Clock } from '../format.ts'

type Session = z.output<typeof sessionShape>

type State = { session: Session | null; status: 'loading' | 'known' | 'failed' }

/** Milliseconds, by this page's clock: when the session ends if nothing more is done, and in any case. */
type SessionEnd = { idleAt: number; at: number; heardAt: number }

// Every page needs this before anything else, so it does without the API client and its cache.
let state: State = { session: null, status: 'loading' }
/** Apart, because it changes often and one part of the page alone looks at it. */
let end: SessionEnd | null = null
/** Who was signed in last on this page. */
let lastUser: string | null = null
let asked: Promise<void> | null = null
const watchers = new Set<() => void>()

function set(next: State) {
  state = next
  for (const watch of watchers) watch()
}

/** Asks who is signed in. Several calls at once are one. What was known stays shown until the answer comes. */
export function refreshSession(): Promise<void> {
  asked ??= ask().finally(() => {
    asked = null
  })
  return asked
}

/** Asks once more even if an answer is on its way: it may have left before what has changed. */
export async function renewSession(): Promise<void> {
  await asked
  await refreshSession()
}

async function ask(): Promise<void> {
  try {
    const response = await fetch('/api/auth/session', { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`The session answered ${response.status}`)
    const session = (await response.json()) as Session
    lastUser = session.user?.id ?? lastUser
    setLife(session.life)
    set({ session, status: 'known' })
  } catch {
    if (state.status !== 'known') set({ session: null, status: 'failed' })
  }
}

/** What else has told how long the session goes on. */
export function setLife(life: Session['life']): void {
  const heardAt = Date.now()
  end = life && { idleAt: heardAt + life.idleSeconds * 1000, at: heardAt + life.seconds * 1000, heardAt }
  for (const watch of watchers) watch()
}

// A tab that was away may have been signed out in the meantime.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void refreshSession()
})

function subscribe(watch: () => void) {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

export function useSession() {
  const { session, status } = useSyncExternalStore(subscribe, () => state)
  return { session, user: session?.user ?? null, loading: status === 'loading', failed: status === 'failed' }
}

/** Null: it is not known. */
export const useSessionEnd = (): SessionEnd | null => useSyncExternalStore(subscribe, () => end)

/** Null: no one was signed in yet. */
export const lastUserId = (): string | null => lastUser

const unnamed: Session['practice'] = {
  name: 'Refyne',
  subtitle: '',
  phone: '',
  hours: '',
  timeZone: 'America/Toronto',
  brandHue: null,
  logo: null,
  demo: false,
  portalToken: '',
}

/** The practice for a call that cannot do without it. Asks again where the first answer did not come; throws when none comes. */
export async function knownPractice(): Promise<Session['practice']> {
  if (!state.session) await refreshSession()
  if (!state.session) throw new Error('The session is not known')
  return state.session.practice
}

/** The practice's name, time zone and colour; the product's own until they are known. */
export function usePractice(): Session['practice'] {
  return useSession().session?.practice ?? unnamed
}

/** The practice's clock for `format.ts`. It moves on each minute, so that '3 h ago' stays true on a page left open. */
export function useClock(): Clock {
  const { timeZone } = usePractice()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => ({ now, timeZone }), [now, timeZone])
}

/** Leads someone who has just signed in, or is signed in already, to where they belong: back to where they were. */
export function enterAs(user: { id: string; status: string; role: string | null }): void {
  location.replace(user.status === 'active' ? location.origin + takePlace(user) : '/pending')
}

/**
 * Goes to a page of the other half of the product (signed out or staff), replacing this one in the history. The document is loaded again: after
 * signing out nothing of the person before is left in memory.
 */
export function leaveTo(path: '/' | '/auth' | '/pending'): void {
  if (path === '/auth') clearPatients()
  location.replace(path)
}
