import type { Kept } from './draft-keeper.ts'

/** In the tab's own storage, and gone with the tab or with anyone who signs out (recent-patients.ts forgets what begins so). */
const prefix = 'refyne.draft.mail.'

export function keepWords(id: string, kept: Kept | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(prefix + id)
    else sessionStorage.setItem(prefix + id, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing: then it lives as long as the page.
  }
}

export function recallWords(id: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + id) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

/** The ids of all that is kept. */
export function keptIds(): string[] {
  try {
    return Object.keys(sessionStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  } catch {
    return []
  }
}
