import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'

interface Acts {
  keys: readonly string[]
  current: string | null
  setCurrent: (key: string) => void
  merge: (key: string) => void
  dismiss: (key: string) => void
}

export const pairElement = (key: string) => `pair-${key}`

/** j and k or the arrows go through the pairs, m or Enter merges the one in hand, n says that they are two. */
export function useQueueKeys(acts: Acts): void {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
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
    const inHand = (act: (key: string) => void) => {
      const { keys, current } = latest.current
      if (current !== null && keys.includes(current)) act(current)
    }
    return [
      { keys: 'j', label: 'Next pair', group: 'Duplicates', run: () => step(1) },
      { keys: 'k', label: 'Previous pair', group: 'Duplicates', run: () => step(-1) },
      { keys: 'down', label: 'Next pair', group: 'Duplicates', hidden: true, run: () => step(1) },
      { keys: 'up', label: 'Previous pair', group: 'Duplicates', hidden: true, run: () => step(-1) },
      { keys: 'm', label: 'Merge', group: 'Duplicates', run: () => inHand(latest.current.merge) },
      { keys: 'enter', label: 'Merge', group: 'Duplicates', hidden: true, run: () => inHand(latest.current.merge) },
      { keys: 'n', label: 'Not a duplicate', group: 'Duplicates', run: () => inHand(latest.current.dismiss) },
    ]
  }, [])
  useHotkeys(hotkeys)
}
