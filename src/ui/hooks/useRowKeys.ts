import { useEffect, useMemo, useRef, useState } from 'react'
import { type Hotkey, useHotkeys } from './hotkeys.ts'

/** List navigation by keyboard between rows with `data-row` and their id; Enter opens the active one. Returns its id. */
export function useRowKeys(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const latest = useRef({ ids, current })
  useEffect(() => {
    latest.current = { ids, current }
  })
  useHotkeys(
    useMemo<Hotkey[]>(() => {
      const step = (by: number) => {
        const { ids, current } = latest.current
        // The active row may have left the list, and the focus moved to another.
        const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
        const at = ids.indexOf(current !== null && ids.includes(current) ? current : (focused ?? ''))
        const next = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? 0 : at + by))]
        if (!next) return
        setCurrent(next)
        const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"]`)
        row?.scrollIntoView({ block: 'nearest' })
        row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
      }
      const group = 'Lists'
      return [
        { keys: 'j', label: 'Next row', group, run: () => step(1) },
        { keys: 'down', label: 'Next row', group, run: () => step(1), hidden: true },
        { keys: 'k', label: 'Previous row', group, run: () => step(-1) },
        { keys: 'up', label: 'Previous row', group, run: () => step(-1), hidden: true },
      ]
    }, []),
  )
  return current
}
