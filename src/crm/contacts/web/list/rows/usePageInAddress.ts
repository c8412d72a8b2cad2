import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ListSearch } from '../../embed/list-search.ts'
import { firstOfPage, pageOfRow } from './list-view.ts'
import type { VirtualRows } from './useVirtualRows.ts'

/**
 * The address says which page is at the top, so that a link leads there: it follows when the list stands, in place of what it said before. When
 * something else changes it (the back button), the list follows.
 */
export function usePageInAddress(search: ListSearch, { standing, moveToRow }: VirtualRows, isStale: boolean): void {
  const navigate = useNavigate({ from: '/contacts' })
  const wanted = search.page ?? 1
  const known = useRef(wanted)
  useEffect(() => {
    if (wanted === known.current) return
    known.current = wanted
    if (!isStale) moveToRow(firstOfPage(wanted))
  }, [wanted, isStale, moveToRow])

  const top = pageOfRow(standing.first)
  useEffect(() => {
    if (isStale || top === known.current) return
    known.current = top
    void navigate({
      to: '/contacts',
      search: (before) => ({ ...before, page: top > 1 ? top : undefined }),
      replace: true,
      resetScroll: false,
    })
  }, [top, isStale, navigate])
}
