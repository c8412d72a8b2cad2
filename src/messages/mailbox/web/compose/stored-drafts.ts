import type { Kept } from './draft-store.ts'

/** The tab's session storage, deleted with the tab or on sign-out (recent-patients.ts deletes keys with this prefix). */
const prefix = 'refyne.draft.mail.'

export function keepWords(id: string, kept: Kept | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(prefix + id)
    else sessionStorage.setItem(prefix + id, JSON.stringify(kept))
  } catch {
    // Without browser storage, it lasts as long as the page.
  }
}

export function recallWords(id: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + id) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

/** The ids of all stored drafts. */
export function keptIds(): string[] {
  try {
    return Object.keys(sessionStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  } catch {
    return []
  }
}
