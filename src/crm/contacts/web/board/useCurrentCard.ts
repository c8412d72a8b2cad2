import { useCallback, useState } from 'react'
import { recallPlace, rememberPlace } from '../embed/list-place.ts'
import type { ListSearch } from '../embed/list-search.ts'
import { type Columns, findCard } from './columns.ts'
import type { Card } from './useBoard.ts'

export type CurrentCard = ReturnType<typeof useCurrentCard>

/** The card that keys act on, and the board's place for the record page's next and previous. */
export function useCurrentCard(columns: Columns<Card>, search: ListSearch) {
  const [id, setId] = useState(() => recallPlace()?.current ?? null)
  const card = findCard(columns, id ?? '')

  /** Focuses a card as soon as its column has rendered it. `stageId`: the column that it is being moved to. */
  const focus = useCallback((next: string, stageId?: string) => {
    setId(next)
    focusWhenRendered(next, stageId)
  }, [])

  /** Remembers the card's column as the list that the record page steps through. */
  function remember(opened: string) {
    const column = columns.find(({ cards }) => cards.some((each) => each.id === opened))
    if (!column) return
    const ids = column.cards.map((each) => each.id)
    rememberPlace({ search, ids, before: 0, total: column.total, totalIsExact: column.totalIsExact, current: opened })
  }

  return { id, card, setId, focus, remember }
}

function focusWhenRendered(id: string, stageId?: string) {
  const column = stageId ? `[data-stage="${stageId}"] ` : ''
  let attemptsLeft = 30
  const whenThere = () => {
    const card = document.querySelector<HTMLElement>(`${column}[data-card="${id}"]`)
    if (!card) return attemptsLeft-- > 0 && requestAnimationFrame(whenThere)
    card.querySelector('a')?.focus({ preventScroll: true })
    return card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  requestAnimationFrame(whenThere)
}
