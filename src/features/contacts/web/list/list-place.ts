import type { ListSearch } from './list-search.ts'

/** The list as it was last seen: a patient's page says where in it the patient stands, and leads back to it. */
interface ListPlace {
  /** The address. Its page is that of the row at the top, which need not be the page of `ids`. */
  search: ListSearch
  /** The rows of a page, in order: of the one with the row that was opened. */
  ids: readonly string[]
  /** How many stand before them. */
  before: number
  total: number
  totalIsExact: boolean
  /** The row that was opened or that the keyboard was on. */
  current: string | null
  /** How far the list was scrolled, in px, and how high its rows were; the board keeps its own place. */
  scrolled?: { top: number; rowHeight: number }
}

// Of this tab and this person alone: signing out loads the document anew.
let place: ListPlace | null = null

export function rememberPlace(seen: ListPlace): void {
  place = seen
}

export function recallPlace(): ListPlace | null {
  return place
}

/** Position from 1 and total, when the patient was on the page of the list that was last seen. */
export function positionOf(
  id: string,
  seen: Pick<ListPlace, 'ids' | 'before' | 'total' | 'totalIsExact'> | null = place,
): { position: number; total: number; totalIsExact: boolean } | null {
  const index = seen?.ids.indexOf(id) ?? -1
  return seen && index >= 0 ? { position: seen.before + index + 1, total: seen.total, totalIsExact: seen.totalIsExact } : null
}
