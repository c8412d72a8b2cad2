import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import type { session as sessionShape } from '../../kernel/access/session-contract.ts'
import { clearPatients } from './recent-patients.ts'
import { consumePlace } from './return-path.ts'
import type { Clock } from '../format.ts'

type Session = z.output<typeof sessionShape>

type State = { session: Session | null; status: 'loading' | 'known' | 'failed' }

/** Milliseconds by this page's clock: when the session ends without activity, and at the latest. */
type SessionEnd = { idleAt: number; at: number; heardAt: number }

// Every page needs this first, so it works without the API client and its cache.
let state: State = { session: null, status: 'loading' }
/** Separate because it changes often and only one part of the page uses it. */
let end: SessionEnd | null = null
/** The last user signed in on this page. */
let lastUser: string | null = null
let asked: Promise<void> | null = null
const watchers = new Set<() => void>()

function set(next: State) {
  state = next
  for (const watch of watchers) watch()
}

/** Loads the session. Simultaneous calls share one request. The previous value stays visible until the answer arrives. */
export function refreshSession(): Promise<void> {
  asked ??= ask().finally(() => {
    asked = null
  })
  return asked
}

/** Reloads even if a request is running, which may predate the change. */
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

/** Updates the session expiry from another response. */
export function setLife(life: Session['life']): void {
  const heardAt = Date.now()
  end = life && { idleAt: heardAt + life.idleSeconds * 1000, at: heardAt + life.seconds * 1000, heardAt }
  for (const watch of watchers) watch()
}

// A background tab may have been signed out in the meantime.
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

/** Null if unknown. */
export const useSessionEnd = (): SessionEnd | null => useSyncExternalStore(subscribe, () => end)

/** Null before the first sign-in. */
export const lastUserId = (): string | null => lastUser

const unnamed: Session['practice'] = {
  name: 'Refyne',
  subtitle: '',
  subtitleFr: '',
  phone: '',
  hours: '',
  hoursFr: '',
  timeZone: 'America/Toronto',
  brandHue: null,
  logo: null,
  demo: false,
  portalToken: '',
  sso: null,
}

/** The practice, for calls that require it. Retries if the first request failed; throws if it is still unavailable. */
export async function requirePractice(): Promise<Session['practice']> {
  if (!state.session) await refreshSession()
  if (!state.session) throw new Error('Couldn’t load the session')
  return state.session.practice
}

/** Name, time zone and colour of the practice; the product's defaults until loaded. */
export function usePractice(): Session['practice'] {
  return useSession().session?.practice ?? unnamed
}

/** The practice's clock for `format.ts`. Updates each minute, so that '3 h ago' stays correct on an open page. */
export function useClock(): Clock {
  const { timeZone } = usePractice()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => ({ now, timeZone }), [now, timeZone])
}

/** Redirects a signed-in user to their previous or default page. */
export function enterAs(user: { id: string; status: string; role: string | null }): void {
  location.replace(user.status === 'active' ? location.origin + consumePlace(user) : '/pending')
}

/**
 * Navigates to the other half of the product (signed out or staff), replacing the history entry. Reloads the document, so after signing
 * out no data of the previous user stays in memory.
 */
export function leaveTo(path: '/' | '/auth' | '/pending' | `/tablet#${string}`): void {
  if (path !== '/' && path !== '/pending') clearPatients()
  location.replace(path)
}
