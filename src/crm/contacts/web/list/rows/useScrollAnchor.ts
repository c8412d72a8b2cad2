import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { firstOfPage, indexOf, type ListView, rowAt } from './list-view.ts'
import { type Above, countAbove, nothingAbove, rowsToMove } from './scroll-anchor.ts'
import type { VirtualRows } from './useVirtualRows.ts'

interface RowInHand {
  scroller: HTMLElement | null
  view: ListView
  rows: VirtualRows
  current: string | null
  /** The page in the URL. */
  page: number
  /** No request for the shown rows is pending. */
  isSettled: boolean
}

/**
 * Keeps the active row (hovered or current) at its scroll position during live changes, and counts new rows above the visible ones. When
 * the search or order changes, the list starts at the page in the URL instead.
 */
export function useScrollAnchor({ scroller, view, rows, current, page, isSettled }: RowInHand) {
  const shown = useRef(view)
  const [unseen, setUnseen] = useState(0)
  const above = useRef<Above>(nothingAbove(view.total))
  const { top, moveToRow, moveBy, rowsSeen, firstSeen } = rows

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = view
    if (!scroller) return
    const count = (by: number) => {
      const counted = countAbove(above.current, by, view.total, isSettled, performance.now())
      above.current = counted.above
      setUnseen(counted.unseen)
    }
    if (before === view) return count(0)
    if (before.key !== view.key) {
      moveToRow(firstOfPage(page))
      above.current = nothingAbove(view.total)
      setUnseen(0)
      return
    }
    const from = firstSeen()
    const seen = Array.from({ length: rowsSeen() }, (_, at) => rowAt(before, from + at)?.id).filter((id) => id !== undefined)
    const by = rowsToMove({
      activeId: scroller.querySelector<HTMLElement>('[data-row]:hover')?.dataset.row ?? current,
      seen: top() > 0 ? seen : [],
      before: (id) => indexOf(before, id),
      after: (id) => indexOf(view, id),
    })
    if (by !== 0) moveBy(by)
    count(by)
  }, [scroller, view, isSettled, current, page, top, moveToRow, moveBy, rowsSeen, firstSeen])

  const forget = () => {
    above.current = { ...above.current, counted: 0, moved: 0, pending: null }
    setUnseen(0)
  }
  useEffect(() => {
    if (!scroller || unseen === 0) return
    const seen = () => {
      if (scroller.scrollTop === 0) forget()
    }
    scroller.addEventListener('scroll', seen, { passive: true })
    return () => scroller.removeEventListener('scroll', seen)
  }, [scroller, unseen])

  return {
    unseen,
    showUnseen: () => {
      moveToRow(0)
      forget()
    },
  }
}
