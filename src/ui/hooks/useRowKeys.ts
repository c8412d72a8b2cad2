import { useEffect, useMemo, useRef, useState } from 'react'
import { type Hotkey, useHotkeys } from './hotkeys.ts'

/** The button that opens the row with this id; null: the row is not shown. */
export const rowButton = (id: string): HTMLElement | null => document.querySelector(`[data-row="${CSS.escape(id)}"] button`)

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
        // A click or a closed drawer may have moved the focus to another row.
        const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
        const at = ids.indexOf(focused !== undefined && ids.includes(focused) ? focused : (current ?? ''))
        const next = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? 0 : at + by))]
        if (!next) return
        setCurrent(next)
        const button = rowButton(next)
        button?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
        button?.focus({ preventScroll: true })
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
