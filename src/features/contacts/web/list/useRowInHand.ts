import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { newRowsAbove, rowsToMove } from './row-in-hand.ts'

/**
 * Keeps the row in hand under the pointer or the keyboard while live changes come in, and counts what came above it out of sight.
 * `key` names what is shown (search, page, order), null while it is on its way: when that changes, the list starts at its top instead.
 */
export function useRowInHand(list: HTMLElement | null, ids: readonly string[], key: string | null, current: string | null) {
  const shown = useRef({ ids, key })
  const [unseen, setUnseen] = useState(0)

  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { ids, key }
    if (!list || before.ids === ids) return
    if (before.key !== key) {
      list.scrollTo({ top: 0 })
      setUnseen(0)
      return
    }
    const row = list.querySelector<HTMLElement>('[data-row]')
    if (!row) return
    const inHand = list.querySelector<HTMLElement>('[data-row]:hover')?.dataset.row ?? current
    const rowHeight = row.offsetHeight
    const by = rowsToMove({ before: before.ids, after: ids, inHand, scrollTop: list.scrollTop, rowHeight })
    if (by === 0) return
    list.scrollBy({ top: by * rowHeight })
    const above = newRowsAbove(before.ids, ids, Math.ceil(list.scrollTop / rowHeight))
    if (above > 0) setUnseen((count) => count + above)
  }, [list, ids, key, current])

  useEffect(() => {
    if (!list || unseen === 0) return
    const seen = () => {
      if (list.scrollTop === 0) setUnseen(0)
    }
    list.addEventListener('scroll', seen, { passive: true })
    return () => list.removeEventListener('scroll', seen)
  }, [list, unseen])

  return {
    unseen,
    showUnseen: () => {
      list?.scrollTo({ top: 0 })
      setUnseen(0)
    },
  }
}
