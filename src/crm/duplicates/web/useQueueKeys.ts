import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'

interface QueueActions {
  keys: readonly string[]
  current: string | null
  setCurrent: (key: string) => void
  merge: (key: string) => void
  dismiss: (key: string) => void
}

export const pairElement = (key: string) => `pair-${key}`

/** Keyboard shortcuts: j and k or the arrows move through the pairs, m or Enter merges the current pair, n marks it as not a duplicate. */
export function useQueueKeys(actions: QueueActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const hotkeys = useMemo<Hotkey[]>(() => {
    function step(by: 1 | -1) {
      const { keys, current, setCurrent } = latest.current
      const at = current === null ? -1 : keys.indexOf(current)
      const key = at < 0 ? keys[0] : keys[Math.min(Math.max(at + by, 0), keys.length - 1)]
      if (key === undefined) return
      setCurrent(key)
      const element = document.getElementById(pairElement(key))
      element?.focus({ preventScroll: true })
      element?.scrollIntoView({ block: 'nearest' })
    }
    const withCurrent = (action: (key: string) => void) => {
      const { keys, current } = latest.current
      if (current !== null && keys.includes(current)) action(current)
    }
    return [
      { keys: 'j', label: 'Next pair', group: 'Duplicates', run: () => step(1) },
      { keys: 'k', label: 'Previous pair', group: 'Duplicates', run: () => step(-1) },
      { keys: 'down', label: 'Next pair', group: 'Duplicates', hidden: true, run: () => step(1) },
      { keys: 'up', label: 'Previous pair', group: 'Duplicates', hidden: true, run: () => step(-1) },
      { keys: 'm', label: 'Merge', group: 'Duplicates', run: () => withCurrent(latest.current.merge) },
      { keys: 'enter', label: 'Merge', group: 'Duplicates', hidden: true, run: () => withCurrent(latest.current.merge) },
      { keys: 'n', label: 'Not a duplicate', group: 'Duplicates', run: () => withCurrent(latest.current.dismiss) },
    ]
  }, [])
  useHotkeys(hotkeys)
}
