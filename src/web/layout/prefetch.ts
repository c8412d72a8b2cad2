import { pages } from '../pages.ts'
import type { NavEntry } from './navigation.ts'

const sections: Partial<Record<NavEntry['to'], () => Promise<unknown>>> = {
  '/contacts': pages.contacts.preload,
  '/tasks': pages.later.preload,
}

/** Fetches a section's code when a link to it is hovered or focused. A failure is only logged (spec 2). */
export function prefetch(to: NavEntry['to']): void {
  sections[to]?.().catch((error: unknown) => console.warn(`Prefetching ${to} failed`, error))
}

/** Spec 9. */
const idleFallback = 2000

/** Contacts, tasks and the patient page when the browser has nothing better to do, or after 2 seconds. */
export function prefetchWhenIdle(): () => void {
  const run = () => {
    prefetch('/contacts')
    prefetch('/tasks')
    pages.contact.preload().catch((error: unknown) => console.warn('Prefetching the patient page failed', error))
  }
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: idleFallback })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, idleFallback)
  return () => clearTimeout(timer)
}
