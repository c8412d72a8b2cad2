import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import type { Entry } from './grid/entry.ts'
import { entryElement } from './grid/useFocusOnEntries.ts'

interface Options {
  /** The noun for an entry: 'appointment'. */
  noun: string
  /** In display order. */
  entries: readonly Pick<Entry, 'id'>[]
  /** Undefined in a view without a period. */
  onStep: ((by: 1 | -1) => void) | undefined
  onToday: () => void
  /** Undefined without permission. */
  onBook: (() => void) | undefined
  onMove: ((id: string) => void) | undefined
}

/** The calendar's shortcuts: step between periods and entries, book and move. Enter opens the focused entry. */
export function useCalendarKeys(options: Options): void {
  const { noun } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const hotkeys = useMemo<Hotkey[]>(() => {
    const focusedId = () => document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset.entry
    const step = (by: 1 | -1) => {
      // Hidden entries, as in a full month, have no element.
      const shown = latest.current.entries.filter(({ id }) => entryElement(id) !== null)
      const at = shown.findIndex(({ id }) => id === focusedId())
      const next = shown[at < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, at + by))]
      const element = next && entryElement(next.id)
      element?.scrollIntoView({ block: 'nearest' })
      element?.focus({ preventScroll: true })
    }
    const group = noun === 'surgery' ? 'Surgeries' : 'Appointments'
    return [
      { keys: 'j', label: `Next ${noun}`, group, run: () => step(1) },
      { keys: 'k', label: `Previous ${noun}`, group, run: () => step(-1) },
      { keys: 'left', label: 'Previous period', group, run: () => latest.current.onStep?.(-1) },
      { keys: 'right', label: 'Next period', group, run: () => latest.current.onStep?.(1) },
      { keys: 't', label: 'Today', group, run: () => latest.current.onToday() },
      { keys: 'b', label: `Book ${noun}`, group, run: () => latest.current.onBook?.() },
      {
        keys: 'm',
        label: `Move the focused ${noun}`,
        group,
        run: () => {
          const id = focusedId()
          if (id) latest.current.onMove?.(id)
        },
      },
    ]
  }, [noun])
  useHotkeys(hotkeys)
}
