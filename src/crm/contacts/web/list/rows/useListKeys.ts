import { useMemo, useRef, useEffect } from 'react'
import { type Hotkey, useHotkeys } from '../../../../../ui/hooks/hotkeys.ts'

interface Options {
  count: number
  /** The row that the keyboard is on. */
  currentIndex: number | null
  /** The patient there, once they have been loaded. */
  current: string | null
  /** The first row in sight: where the keyboard begins. */
  firstSeen: () => number
  /** How many rows are in sight at a time. */
  rowsSeen: () => number
  goTo: (index: number) => void
  open: (id: string) => void
  edit: (id: string) => void
}

/** Arrows or j and k go through the rows, a page or the whole list at a time too; Enter opens the one they are on, e edits it. */
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
    function inHand(act: (id: string) => void) {
      if (latest.current.current !== null) act(latest.current.current)
    }
    const hotkeys: Hotkey[] = [
      { keys: 'j', label: 'Next row', group: 'Lists', run: () => step(1) },
      { keys: 'k', label: 'Previous row', group: 'Lists', run: () => step(-1) },
      { keys: 'down', label: 'Next row', group: 'Lists', hidden: true, run: () => step(1) },
      { keys: 'up', label: 'Previous row', group: 'Lists', hidden: true, run: () => step(-1) },
      { keys: 'pagedown', label: 'A screen down', group: 'Lists', run: () => page(1) },
      { keys: 'pageup', label: 'A screen up', group: 'Lists', run: () => page(-1) },
      { keys: 'home', label: 'First row', group: 'Lists', run: () => latest.current.count > 0 && latest.current.goTo(0) },
      {
        keys: 'end',
        label: 'Last row',
        group: 'Lists',
        run: () => latest.current.count > 0 && latest.current.goTo(latest.current.count - 1),
      },
      { keys: 'enter', label: 'Open', group: 'Lists', run: () => inHand(latest.current.open) },
      { keys: 'e', label: 'Edit', group: 'Lists', run: () => inHand(latest.current.edit) },
    ]
    return { step, hotkeys }
  }, [])

  useHotkeys(hotkeys)
  return step
}
