import { useEffect, useMemo, useRef, useState } from 'react'
import { type Hotkey, useHotkeys } from '../../../../web/ui/hotkeys.ts'

/** The list's keys move from row to row; Enter opens the one in hand. Answers its id. */
export function useReceiptKeys(receipts: readonly { id: string }[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const latest = useRef({ receipts, current })
  useEffect(() => {
    latest.current = { receipts, current }
  })
  useHotkeys(
    useMemo<Hotkey[]>(() => {
      const step = (by: number) => {
        const { receipts, current } = latest.current
        const at = receipts.findIndex(({ id }) => id === current)
        const next = receipts[Math.max(0, Math.min(receipts.length - 1, at < 0 ? 0 : at + by))]
        if (!next) return
        setCurrent(next.id)
        const row = document.querySelector<HTMLElement>(`[data-receipt="${next.id}"]`)
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
