import { useEffect, useRef, useState } from 'react'
import { recallPlace, rememberPlace } from '../../embed/list-place.ts'
import type { ListSearch } from '../../embed/list-search.ts'
import { firstOfPage, type ListView, pageOfRow } from './list-view.ts'
import type { VirtualRows } from './useVirtualRows.ts'

/** The last scroll position of the list if the URL is the same, else the page in the URL. */
export function useInitialPlace(search: ListSearch, rowHeight: number): { top: number; row: { index: number; id: string } | null } {
  const [initial] = useState(() => {
    const left = recallPlace()
    if (!left?.scrolled || JSON.stringify(left.search) !== JSON.stringify(search))
      return { top: firstOfPage(search.page ?? 1) * rowHeight, row: null }
    const { current, ids, before } = left
    const row = current === null ? null : { index: before + ids.indexOf(current), id: current }
    return { top: (left.scrolled.top / left.scrolled.rowHeight) * rowHeight, row }
  })
  return initial
}

interface Place {
  view: ListView
  search: ListSearch
  rowHeight: number
  rows: VirtualRows
  currentIndex: number | null
}

/** Remembers the scroll position when a row is opened or the list is left, to restore it later. */
export function useKeptPlace(place: Place): (index: number) => void {
  const latest = useRef(place)
  useEffect(() => {
    latest.current = place
  })
  const [remember] = useState(() => (index: number) => {
    const { view, search, rowHeight, rows } = latest.current
    const { total, totalIsExact } = view
    const page = pageOfRow(index)
    const before = firstOfPage(page)
    const ids = view.pages.get(page)?.map(({ id }) => id) ?? []
    const scrolled = { top: rows.top(), rowHeight }
    rememberPlace({ search, ids, before, total, totalIsExact, current: ids[index - before] ?? null, scrolled })
  })
  useEffect(() => () => remember(latest.current.currentIndex ?? latest.current.rows.firstSeen()), [remember])
  return remember
}
