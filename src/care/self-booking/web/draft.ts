import type { Person } from './calls.ts'

/** What stays when the page is loaded again, in this tab until the visit is booked. Not the note, which may say why the patient comes. */
export interface Draft {
  visitId: string | null
  providerId: string | null
  startsAt: string | null
  person: Omit<Person, 'words'>
  /** That is under way; null: none. */
  booking: { key: string; isProven: boolean; isPaying: boolean } | null
}

const storageKey = 'refyne.booking'

export function readDraft(): Partial<Draft> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<Draft>
  } catch {
    // The browser allows no storage.
    return {}
  }
}

/** Null: nothing is kept any more. */
export function keepDraft(draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(storageKey, JSON.stringify(draft))
    else sessionStorage.removeItem(storageKey)
  } catch {
    // What was typed is lost with the page.
  }
}
