import { useLayoutEffect, useRef } from 'react'
import { rowsToMove } from '../list/row-in-hand.ts'

/**
 * Keeps the card under the pointer or the keyboard where it is while others come or go above it, as the list does its rows; but for a card
 * that was moved here from this page (`mine`), which is to be seen.
 */
export function useCardInHand(
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
    const inHand = column.querySelector<HTMLElement>('[data-card]:hover')?.dataset.card ?? current
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id)
    const by = rowsToMove({ before: ids(before), after: ids(cards), inHand, scrollTop: column.scrollTop, rowHeight: row.offsetHeight })
    if (by !== 0) column.scrollBy({ top: by * row.offsetHeight })
  }, [column, cards, current, mine])
}
