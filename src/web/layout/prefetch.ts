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

/** Contacts, tasks and the patient page: spec 9. */
export function prefetchAll(): void {
  prefetch('/contacts')
  prefetch('/tasks')
  load(pages.contact.preload)
  load(loadCommandPalette)
  load(loadDrawer)
}
