import { useMemo, useRef, useEffect } from 'react'
import { type Hotkey, useHotkeys } from '../../../../web/ui/hotkeys.ts'

/** Arrows or j and k go through the rows, Enter opens the one they are on, e edits it. The focus goes along, so that a screen reader says the name. */
export function useListKeys(
  ids: readonly string[],
  current: string | null,
  setCurrent: (id: string) => void,
  open: (id: string) => void,
  edit: (id: string) => void,
) {
  const latest = useRef({ ids, current, setCurrent, open, edit })
  useEffect(() => {
    latest.current = { ids, current, setCurrent, open, edit }
  })

  const { step, hotkeys } = useMemo(() => {
    function step(by: 1 | -1) {
      const { ids, current, setCurrent } = latest.current
      const at = current === null ? -1 : ids.indexOf(current)
      const id = at < 0 ? ids[0] : ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
      if (id === undefined) return
      setCurrent(id)
      document.getElementById(`patient-${id}`)?.focus({ preventScroll: true })
      document.querySelector(`[data-row="${id}"]`)?.scrollIntoView({ block: 'nearest' })
    }
    function inHand(act: (id: string) => void) {
      const { ids, current } = latest.current
      if (current !== null && ids.includes(current)) act(current)
    }
    const hotkeys: Hotkey[] = [
      { keys: 'j', label: 'Next row', group: 'Lists', run: () => step(1) },
      { keys: 'k', label: 'Previous row', group: 'Lists', run: () => step(-1) },
      { keys: 'down', label: 'Next row', group: 'Lists', hidden: true, run: () => step(1) },
      { keys: 'up', label: 'Previous row', group: 'Lists', hidden: true, run: () => step(-1) },
      { keys: 'enter', label: 'Open', group: 'Lists', run: () => inHand(latest.current.open) },
      { keys: 'e', label: 'Edit', group: 'Lists', run: () => inHand(latest.current.edit) },
    ]
    return { step, hotkeys }
  }, [])

  useHotkeys(hotkeys)
  return step
}
