import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'
import type { Side } from '../rules.ts'

interface MergeActions {
  /** The fields in page order. */
  fields: readonly string[]
  choose: (field: string, side: Side) => void
  swap: () => void
  merge: () => void
}

export const radioId = (field: string, side: Side) => `merge-${field}-${side}`

/** Arrows up and down (or j and k) move through the fields, left and right choose a side, s swaps the patients, m merges. */
export function useMergeKeys(actions: MergeActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })

  const hotkeys = useMemo<Hotkey[]>(() => {
    const focusedIndex = () => latest.current.fields.findIndex((field) => document.activeElement?.id.startsWith(`merge-${field}-`))
    const checked = (field: string) =>
      (['target', 'source'] as const)
        .map((side) => document.getElementById(radioId(field, side)))
        .find((radio) => radio instanceof HTMLInputElement && radio.checked)
    function step(by: 1 | -1) {
      const { fields } = latest.current
      const at = focusedIndex()
      const field = at < 0 ? fields[0] : fields[Math.min(Math.max(at + by, 0), fields.length - 1)]
      const radio = field === undefined ? undefined : checked(field)
      radio?.focus({ preventScroll: true })
      radio?.closest('[data-field]')?.scrollIntoView({ block: 'nearest' })
    }
    function choose(side: Side) {
      const field = latest.current.fields[focusedIndex()]
      if (field === undefined) return
      latest.current.choose(field, side)
      document.getElementById(radioId(field, side))?.focus({ preventScroll: true })
    }
    return [
      { keys: 'down', label: 'Next field', group: 'Merge', run: () => step(1) },
      { keys: 'up', label: 'Previous field', group: 'Merge', run: () => step(-1) },
      { keys: 'j', label: 'Next field', group: 'Merge', hidden: true, run: () => step(1) },
      { keys: 'k', label: 'Previous field', group: 'Merge', hidden: true, run: () => step(-1) },
      { keys: 'left', label: 'Keep left value', group: 'Merge', run: () => choose('target') },
      { keys: 'right', label: 'Use right value', group: 'Merge', run: () => choose('source') },
      { keys: 's', label: 'Swap patients', group: 'Merge', run: () => latest.current.swap() },
      { keys: 'm', label: 'Merge', group: 'Merge', run: () => latest.current.merge() },
    ]
  }, [])
  useHotkeys(hotkeys)
}
