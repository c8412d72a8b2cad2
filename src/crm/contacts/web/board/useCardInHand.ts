import { useLayoutEffect, useRef } from 'react'
import { rowsToMove } from '../list/rows/row-in-hand.ts'

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
    const height = row.offsetHeight
    const by = rowsToMove({
      inHand,
      seen: column.scrollTop > 0 ? before.slice(Math.floor(column.scrollTop / height)).map(({ id }) => id) : [],
      before: (id) => before.findIndex((card) => card.id === id),
      after: (id) => cards.findIndex((card) => card.id === id),
    })
    if (by !== 0) column.scrollBy({ top: by * height })
  }, [column, cards, current, mine])
}
