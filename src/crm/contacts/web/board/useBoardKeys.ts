import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'

export type Way = 'up' | 'down' | 'left' | 'right'

interface BoardKeys {
  /** The card that the keyboard has lifted, if any. */
  isLifted: boolean
  step: (way: Way) => void
  open: () => void
  edit: () => void
  menu: () => void
  lift: () => void
  /** While a card is lifted: the next column, the end of it. */
  aim: (way: 'left' | 'right') => void
  drop: () => void
  cancel: () => void
}

/**
 * Arrows, or j and k, go from card to card; Enter opens, s offers the stages. Space lifts the card in hand, arrows choose its column, space
 * puts it down there and Escape where it was.
 */
export function useBoardKeys(board: HTMLElement | null, keys: BoardKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })

  const hotkeys = useMemo<Hotkey[]>(() => {
    const go = (key: string, way: Way, label: string, hidden = false): Hotkey => ({
      keys: key,
      label,
      group: 'Board',
      hidden,
      run: () => latest.current.step(way),
    })
    return [
      go('j', 'down', 'Next card'),
      go('k', 'up', 'Previous card'),
      go('right', 'right', 'Next column'),
      go('left', 'left', 'Previous column'),
      go('down', 'down', 'Next card', true),
      go('up', 'up', 'Previous card', true),
      { keys: 'space', label: 'Lift the card, put it down', group: 'Board', run: () => latest.current.lift() },
      { keys: 's', label: 'Move to stage', group: 'Board', run: () => latest.current.menu() },
      { keys: 'enter', label: 'Open', group: 'Board', run: () => latest.current.open() },
      { keys: 'e', label: 'Edit', group: 'Board', run: () => latest.current.edit() },
    ]
  }, [])
  useHotkeys(hotkeys)

  // On the board's own element, which hears of a key before the shortcuts do.
  useEffect(() => {
    if (!board) return
    const ending = new AbortController()
    board.addEventListener('keydown', (event) => onKeyDown(event, latest.current), { signal: ending.signal })
    return () => ending.abort()
  }, [board])
}

function onKeyDown(event: KeyboardEvent, { isLifted, lift, aim, drop, cancel }: BoardKeys): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (!isLifted) {
    const onCard = event.target instanceof Element && event.target.closest('a[href]') !== null
    if (event.key !== ' ' || !onCard) return
    lift()
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') aim(event.key === 'ArrowLeft' ? 'left' : 'right')
  else if (event.key === ' ' || event.key === 'Enter') drop()
  else if (event.key === 'Escape' || event.key === 'Tab') cancel()
  // Any other key is none of a lifted card's.
  event.preventDefault()
  event.stopPropagation()
}
