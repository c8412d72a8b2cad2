import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ListSearch } from '../../embed/list-search.ts'
import { firstOfPage, pageOfRow } from './list-view.ts'
import type { VirtualRows } from './useVirtualRows.ts'

/**
 * Keeps the page at the top of the list in the URL, so that a link leads there: updated (replacing the history entry) when scrolling ends.
 * When the URL changes otherwise (back button), the list scrolls there.
 */
export function usePageInUrl(search: ListSearch, { standing, moveToRow }: VirtualRows, isStale: boolean): void {
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
