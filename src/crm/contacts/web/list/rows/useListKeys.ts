import { useMemo, useRef, useEffect } from 'react'
import { type Hotkey, useHotkeys } from '../../../../../ui/hooks/hotkeys.ts'

interface Options {
  count: number
  /** The row that the keyboard is on. */
  currentIndex: number | null
  /** The patient in that row, once loaded. */
  current: string | null
  /** The first visible row, where keyboard navigation starts. */
  firstSeen: () => number
  /** The number of rows visible at a time. */
  rowsSeen: () => number
  goTo: (index: number) => void
  open: (id: string) => void
  edit: (id: string) => void
}

/** Arrow keys or j and k move through the rows, Page Up/Down by screen, Home/End to the ends; Enter opens the current row, e edits it. */
export function useListKeys(options: Options) {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  const { step, hotkeys } = useMemo(() => {
    function step(by: number) {
      const { count, currentIndex, goTo, firstSeen } = latest.current
      if (count === 0) return
      goTo(Math.max(0, Math.min(count - 1, currentIndex === null ? firstSeen() : currentIndex + by)))
    }
    const page = (direction: 1 | -1) => step(direction * Math.max(1, latest.current.rowsSeen() - 1))
    function onCurrent(act: (id: string) => void) {
      if (latest.current.current !== null) act(latest.current.current)
    }
    const hotkeys: Hotkey[] = [
      { keys: 'j', label: 'Next row', group: 'Lists', run: () => step(1) },
      { keys: 'k', label: 'Previous row', group: 'Lists', run: () => step(-1) },
      { keys: 'down', label: 'Next row', group: 'Lists', hidden: true, run: () => step(1) },
      { keys: 'up', label: 'Previous row', group: 'Lists', hidden: true, run: () => step(-1) },
      { keys: 'pagedown', label: 'Page down', group: 'Lists', run: () => page(1) },
      { keys: 'pageup', label: 'Page up', group: 'Lists', run: () => page(-1) },
      { keys: 'home', label: 'First row', group: 'Lists', run: () => latest.current.count > 0 && latest.current.goTo(0) },
      {
        keys: 'end',
        label: 'Last row',
        group: 'Lists',
        run: () => latest.current.count > 0 && latest.current.goTo(latest.current.count - 1),
      },
      { keys: 'enter', label: 'Open', group: 'Lists', run: () => onCurrent(latest.current.open) },
      { keys: 'e', label: 'Edit', group: 'Lists', run: () => onCurrent(latest.current.edit) },
    ]
    return { step, hotkeys }
  }, [])

  useHotkeys(hotkeys)
  return step
}
