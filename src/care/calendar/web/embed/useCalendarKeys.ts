import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import type { Entry } from './entry.ts'
import { entryElement } from './useFocusOnEntries.ts'

interface Options {
  /** What one of them is called: 'appointment'. */
  noun: string
  /** In their order. */
  entries: readonly Pick<Entry, 'id'>[]
  /** Absent where what is shown is of no period. */
  onStep: ((by: 1 | -1) => void) | undefined
  onToday: () => void
  /** Absent for anyone who may not. */
  onBook: (() => void) | undefined
  onMove: ((id: string) => void) | undefined
}

/** The calendar's keys: days, and from one entry to the next. Enter opens the one in hand. */
export function useCalendarKeys(options: Options): void {
  const { noun } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const hotkeys = useMemo<Hotkey[]>(() => {
    const inHand = () => document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset.entry
    const step = (by: 1 | -1) => {
      // What is out of sight, as in a full month, has no element.
      const shown = latest.current.entries.filter(({ id }) => entryElement(id) !== null)
      const at = shown.findIndex(({ id }) => id === inHand())
      const next = shown[at < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, at + by))]
      const element = next && entryElement(next.id)
      element?.scrollIntoView({ block: 'nearest' })
      element?.focus({ preventScroll: true })
    }
    const group = noun === 'surgery' ? 'Surgeries' : 'Appointments'
    return [
      { keys: 'j', label: `Next ${noun}`, group, run: () => step(1) },
      { keys: 'k', label: `Previous ${noun}`, group, run: () => step(-1) },
      { keys: 'left', label: 'The days before', group, run: () => latest.current.onStep?.(-1) },
      { keys: 'right', label: 'The days after', group, run: () => latest.current.onStep?.(1) },
      { keys: 't', label: 'Today', group, run: () => latest.current.onToday() },
      { keys: 'b', label: `Book ${noun}`, group, run: () => latest.current.onBook?.() },
      {
        keys: 'm',
        label: `Move the ${noun} in hand`,
        group,
        run: () => {
          const id = inHand()
          if (id) latest.current.onMove?.(id)
        },
      },
    ]
  }, [noun])
  useHotkeys(hotkeys)
}
