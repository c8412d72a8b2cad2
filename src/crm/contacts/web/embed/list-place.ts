import { storeListPlace, storedListPlace } from '../../../../ui/client/recent-patients.ts'
import { type ListSearch, pageSize } from './list-search.ts'

/** The last state of the list: the patient page shows the patient's position in it, and links back to it. */
export interface ListPlace {
  /** The URL parameters. The page is that of the row at the top, which may differ from the page of `ids`. */
  search: ListSearch
  /** The ids of the page with the opened row, and of pages stepped to from there, in order. */
  ids: readonly string[]
  /** The number of rows before them. */
  before: number
  total: number
  totalIsExact: boolean
  /** The last page of `ids`. Default: their first page. */
  lastPage?: number
  /** The opened or current row. */
  current: string | null
  /** The scroll position and row height of the list, in px; not set by the board. */
  scrolled?: { top: number; rowHeight: number }
}

// Only for this tab and user: signing out reloads the document and clears the stored place.
let place: ListPlace | null = readPlace()

function readPlace(): ListPlace | null {
  const kept = storedListPlace()
  // Only this file writes it.
  return kept === null ? null : (JSON.parse(kept) as ListPlace)
}

export function rememberPlace(seen: ListPlace): void {
  place = seen
  storeListPlace(JSON.stringify(seen))
}

export function recallPlace(): ListPlace | null {
  return place
}

/** The position (from 1) and total, if the patient was in the last seen part of the list. */
export function positionOf(
  id: string,
  seen: Pick<ListPlace, 'ids' | 'before' | 'total' | 'totalIsExact'> | null = place,
): { position: number; total: number; totalIsExact: boolean } | null {
  const index = seen?.ids.indexOf(id) ?? -1
  return seen && index >= 0 ? { position: seen.before + index + 1, total: seen.total, totalIsExact: seen.totalIsExact } : null
}

/** The next or previous patient: an id, the page of the list to load, or null at the end. */
export function neighbourOf(
  id: string,
  by: 1 | -1,
  { ids, before, total, totalIsExact, lastPage, scrolled }: ListPlace,
): string | number | null {
  const index = ids.indexOf(id)
  if (index < 0) return null
  const next = ids[index + by]
  if (next !== undefined) return next
  // Columns of the board have no pages.
  if (!scrolled) return null
  const first = Math.floor(before / pageSize) + 1
  if (by === -1) return first > 1 ? first - 1 : null
  const last = lastPage ?? first
  return totalIsExact && last * pageSize >= total ? null : last + 1
}

/** The place with one more page at either end. Skips ids it already has, because the list may have changed. */
export function withPage(place: ListPlace, page: number, found: readonly string[]): ListPlace {
  const fresh = found.filter((id) => !place.ids.includes(id))
  const first = Math.floor(place.before / pageSize) + 1
  return page < first
    ? { ...place, ids: [...fresh, ...place.ids], before: (page - 1) * pageSize, lastPage: place.lastPage ?? first }
    : { ...place, ids: [...place.ids, ...fresh], lastPage: page }
}

/** The place after moving to another patient; scrolled by as many rows. */
export function movedTo(id: string, place: ListPlace): ListPlace {
  const to = place.ids.indexOf(id)
  if (to < 0) return place
  const from = place.current === null ? -1 : place.ids.indexOf(place.current)
  const { scrolled } = place
  if (!scrolled || from < 0) return { ...place, current: id }
  return { ...place, current: id, scrolled: { ...scrolled, top: Math.max(0, scrolled.top + (to - from) * scrolled.rowHeight) } }
}
