import { pages } from '../pages.ts'
import type { NavEntry } from './navigation.ts'

const sections: Partial<Record<NavEntry['to'], () => Promise<unknown>>> = {
  '/contacts': pages.contacts.preload,
  '/tasks': pages.later.preload,
}

/** Comes early: what is typed right after Ctrl K must find its field. */
export const loadCommandPalette = () => import('./palette/CommandPalette.tsx')
export const loadDrawer = () => import('./Drawer.tsx')

function load(preload: (() => Promise<unknown>) | undefined): void {
  // oxlint-disable-next-line no-console -- spec 2: a prefetch failure is only logged; the page itself will try again
  preload?.().catch((error: unknown) => console.warn('A page could not be prefetched', error))
}

/** Fetches a section's code when a link to it is hovered or focused. */
export function prefetch(to: NavEntry['to']): void {
  load(sections[to])
}

/** Spec 9. */
const idleFallback = 2000

/** Contacts, tasks and the patient page when the browser has nothing better to do, or after 2 seconds. */
export function prefetchWhenIdle(): () => void {
  const run = () => {
    prefetch('/contacts')
    prefetch('/tasks')
    load(pages.contact.preload)
    load(loadCommandPalette)
    load(loadDrawer)
  }
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: idleFallback })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, idleFallback)
  return () => clearTimeout(timer)
}
