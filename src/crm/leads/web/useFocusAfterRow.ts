import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus on when the row that had it leaves a list: to the first button of the row that follows, else of the one before, else to the
 * list's heading. A focus that went elsewhere stays there.
 *
 * @param ids the rows in order, each marked `data-row` with its id
 * @param isReady false while a dialog is open, which has the focus
 * @returns a ref for the list with its heading, and what to call with the row that will leave
 */
export function useFocusAfterRow(ids: readonly string[], isReady: boolean): [RefObject<HTMLDivElement | null>, (id: string) => void] {
  const region = useRef<HTMLDivElement>(null)
  const leaving = useRef<{ id: string; next: readonly string[] } | null>(null)
  /** The order as the last row that is still listed had it: a row may be gone before its dialog is closed. */
  const orders = useRef(new Map<string, readonly string[]>())

  useEffect(() => {
    for (const id of ids) orders.current.set(id, ids)
    const gone = leaving.current
    if (!gone || !isReady || ids.includes(gone.id)) return
    leaving.current = null
    orders.current.delete(gone.id)
    const active = document.activeElement
    if (active !== null && active !== document.body) return
    const row = gone.next.find((id) => ids.includes(id))
    const target =
      row === undefined
        ? region.current?.querySelector<HTMLElement>('h2')
        : region.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] button`)
    if (!target) return
    if (row === undefined) target.tabIndex = -1
    target.scrollIntoView({ block: 'nearest' })
    target.focus({ preventScroll: true })
  })

  function focusAfter(id: string) {
    const order = orders.current.get(id) ?? ids
    const at = order.indexOf(id)
    leaving.current = { id, next: [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).toReversed()] }
  }
  return [region, focusAfter]
}
