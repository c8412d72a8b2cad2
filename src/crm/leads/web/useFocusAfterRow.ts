import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus when the focused row leaves a list: to the first button of the next row, or else of the previous one, or else to the
 * list's heading. Does nothing if the focus is elsewhere.
 *
 * @param ids the rows in order, each marked `data-row` with its id
 * @param isReady false while an open dialog has the focus
 * @returns a ref for the list with its heading, and a function to call with the id of the row that will leave
 */
export function useFocusAfterRow(ids: readonly string[], isReady: boolean): [RefObject<HTMLDivElement | null>, (id: string) => void] {
  const region = useRef<HTMLDivElement>(null)
  const leaving = useRef<{ id: string; next: readonly string[] } | null>(null)
  /** For each row, the order when it was last listed: the row may have left before its dialog is closed. */
  const orders = useRef(new Map<string, readonly string[]>())

  useEffect(() => {
    for (const id of ids) orders.current.set(id, ids)
    const left = leaving.current
    if (!left || !isReady || ids.includes(left.id)) return
    leaving.current = null
    orders.current.delete(left.id)
    const active = document.activeElement
    if (active !== null && active !== document.body) return
    const row = left.next.find((id) => ids.includes(id))
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
