import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { firstOfPage, indexOf, type ListView, rowAt } from './list-view.ts'
import { newAbove, rowsToMove } from './row-in-hand.ts'
import type { VirtualRows } from './useVirtualRows.ts'

/**
 * Keeps the row in hand under the pointer or the keyboard while live changes come in, and counts what came above it out of sight. When the list
 * shows something else, it starts at the page of the address instead.
 */
export function useRowInHand(scroller: HTMLElement | null, view: ListView, rows: VirtualRows, current: string | null, page: number) {
  const shown = useRef(view)
  const [unseen, setUnseen] = useState(0)
  const { top, moveToRow, moveBy, rowsSeen, firstSeen } = rows

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = view
    if (!scroller || before === view) return
    if (before.key !== view.key) {
      moveToRow(firstOfPage(page))
      setUnseen(0)
      return
    }
    const from = firstSeen()
    const seen = Array.from({ length: rowsSeen() }, (_, at) => rowAt(before, from + at)?.id).filter((id) => id !== undefined)
    const by = rowsToMove({
      inHand: scroller.querySelector<HTMLElement>('[data-row]:hover')?.dataset.row ?? current,
      seen: top() > 0 ? seen : [],
      before: (id) => indexOf(before, id),
      after: (id) => indexOf(view, id),
    })
    if (by === 0) return
    moveBy(by)
    setUnseen((count) => count + newAbove(by, before.total, view.total))
  }, [scroller, view, current, page, top, moveToRow, moveBy, rowsSeen, firstSeen])

  useEffect(() => {
    if (!scroller || unseen === 0) return
    const seen = () => {
      if (scroller.scrollTop === 0) setUnseen(0)
    }
    scroller.addEventListener('scroll', seen, { passive: true })
    return () => scroller.removeEventListener('scroll', seen)
  }, [scroller, unseen])

  return {
    unseen,
    showUnseen: () => {
      moveToRow(0)
      setUnseen(0)
    },
  }
}
