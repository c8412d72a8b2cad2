import { useLayoutEffect, useRef } from 'react'
import { rowsToMove } from '../list/rows/scroll-anchor.ts'

/**
 * Keeps the active card (hovered or current) at its scroll position while cards above it are added or removed, as in the list. Does not
 * scroll for a card that the user just moved here (`mine`), so that it is visible.
 */
export function useStableScroll(
  column: HTMLElement | null,
  cards: readonly { id: string }[],
  current: string | null,
  mine: string | null,
): void {
  const shown = useRef(cards)
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = cards
    if (!column || before === cards) return
    const has = (all: readonly { id: string }[], id: string | null) => all.some((card) => card.id === id)
    if (has(cards, mine) !== has(before, mine)) return
    const row = column.querySelector<HTMLElement>('[data-index]')
    if (!row) return
    const activeId = column.querySelector<HTMLElement>('[data-card]:hover')?.dataset.card ?? current
    const height = row.offsetHeight
    const by = rowsToMove({
      activeId,
      seen: column.scrollTop > 0 ? before.slice(Math.floor(column.scrollTop / height)).map(({ id }) => id) : [],
      before: (id) => before.findIndex((card) => card.id === id),
      after: (id) => cards.findIndex((card) => card.id === id),
    })
    if (by !== 0) column.scrollBy({ top: by * height })
  }, [column, cards, current, mine])
}
