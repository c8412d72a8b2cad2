import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'

export type Way = 'up' | 'down' | 'left' | 'right'

export interface BoardKeys {
  /** Whether a card is picked up with the keyboard. */
  isLifted: boolean
  step: (way: Way) => void
  open: () => void
  edit: () => void
  menu: () => void
  lift: () => void
  /** While a card is picked up: chooses the target column, drops or cancels. */
  aim: (way: 'left' | 'right') => void
  drop: () => void
  cancel: () => void
}

/**
 * Arrow keys, or j and k, move between cards; Enter opens one, s opens the stage menu. Space picks up the current card, arrow keys choose
 * its column, Space drops it there and Escape cancels.
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
      { keys: 'space', label: 'Pick up or drop the card', group: 'Board', run: () => latest.current.lift() },
      { keys: 's', label: 'Move to stage', group: 'Board', run: () => latest.current.menu() },
      { keys: 'enter', label: 'Open', group: 'Board', run: () => latest.current.open() },
      { keys: 'e', label: 'Edit', group: 'Board', run: () => latest.current.edit() },
    ]
  }, [])
  useHotkeys(hotkeys)

  // On the board element, which receives key events before the global shortcuts.
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
  // Other keys do nothing while a card is picked up.
  event.preventDefault()
  event.stopPropagation()
}
