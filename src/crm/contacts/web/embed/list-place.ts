import { keepListPlace, keptListPlace } from '../../../../ui/client/recent-patients.ts'
import { type ListSearch, pageSize } from './list-search.ts'

/** The list as it was last seen: a patient's page says where in it the patient stands, and leads back to it. */
export interface ListPlace {
  /** The address. Its page is that of the row at the top, which need not be the page of `ids`. */
  search: ListSearch
  /** The rows of a page, in order: of the one with the row that was opened, and of those that were stepped to from there. */
  ids: readonly string[]
  /** How many stand before them. */
  before: number
  total: number
  totalIsExact: boolean
  /** The last page of these; unless given, the one that they begin on. */
  lastPage?: number
  /** The row that was opened or that the keyboard was on. */
  current: string | null
  /** How far the list was scrolled, in px, and how high its rows were; the board keeps its own place. */
  scrolled?: { top: number; rowHeight: number }
}

// Of this tab and this person alone: signing out loads the document again, and forgets what was kept for another load of it.
let place: ListPlace | null = readPlace()

function readPlace(): ListPlace | null {
  const kept = keptListPlace()
  // Only this file writes it.
  return kept === null ? null : (JSON.parse(kept) as ListPlace)
}

export function rememberPlace(seen: ListPlace): void {
  place = seen
  keepListPlace(JSON.stringify(seen))
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

/** Who is next to a patient in the list: their id, the page of the list that has them, or no one. */
export function neighbourOf(
  id: string,
  by: 1 | -1,
  { ids, before, total, totalIsExact, lastPage, scrolled }: ListPlace,
): string | number | null {
  const index = ids.indexOf(id)
  if (index < 0) return null
  const next = ids[index + by]
  if (next !== undefined) return next
  // Of the board's columns there are no pages.
  if (!scrolled) return null
  const first = Math.floor(before / pageSize) + 1
  if (by === -1) return first > 1 ? first - 1 : null
  const last = lastPage ?? first
  return totalIsExact && last * pageSize >= total ? null : last + 1
}

/** The place with one more page at either end. The list may have changed since: no one stands there twice. */
export function withPage(place: ListPlace, page: number, found: readonly string[]): ListPlace {
  const fresh = found.filter((id) => !place.ids.includes(id))
  const first = Math.floor(place.before / pageSize) + 1
  return page < first
    ? { ...place, ids: [...fresh, ...place.ids], before: (page - 1) * pageSize, lastPage: place.lastPage ?? first }
    : { ...place, ids: [...place.ids, ...fresh], lastPage: page }
}

/** The place once another patient of it is at hand; the list has moved along by as many rows. */
export function movedTo(id: string, place: ListPlace): ListPlace {
  const to = place.ids.indexOf(id)
  if (to < 0) return place
  const from = place.current === null ? -1 : place.ids.indexOf(place.current)
  const { scrolled } = place
  if (!scrolled || from < 0) return { ...place, current: id }
  return { ...place, current: id, scrolled: { ...scrolled, top: Math.max(0, scrolled.top + (to - from) * scrolled.rowHeight) } }
}
