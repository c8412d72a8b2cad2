import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Reorder {
  /** The rows in their order. */
  ids: readonly string[]
  nameOf: (id: string) => string
  /** A row was put before another one; null: last. */
  onMove: (id: string, before: string | null) => void
}

interface Lifted {
  id: string
  order: readonly string[]
  by: 'pointer' | 'keys'
}

const handleOf = (list: HTMLElement | null, id: string) => list?.querySelector<HTMLElement>(`[data-reorder="${id}"] [data-handle]`)

/**
 * A list whose rows are put into another order by their handles: dragged by mouse, pen or finger, or lifted with the space bar, moved with the
 * arrows and put down with the space bar, or back with Escape. Each row has `data-reorder`, its handle takes `handle(id)`.
 */
export function useReorder({ ids, nameOf, onMove }: Reorder) {
  const list = useRef<HTMLUListElement>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const [said, setSaid] = useState('')
  // A row that is no longer there takes its lifting with it.
  const isThere = lifted !== null && ids.includes(lifted.id)
  const order = isThere ? lifted.order.filter((id) => ids.includes(id)) : ids

  // A row that changes its place in the page loses the focus.
  useLayoutEffect(() => {
    if (lifted?.by === 'keys') handleOf(list.current, lifted.id)?.focus()
  }, [lifted])

  const isDragged = lifted?.by === 'pointer'
  useEffect(() => {
    if (!isDragged) return
    const cancel = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') setLifted(null)
    }
    addEventListener('keydown', cancel)
    return () => removeEventListener('keydown', cancel)
  }, [isDragged])

  const placeOf = (id: string, among: readonly string[]) => `${among.indexOf(id) + 1} of ${among.length}`

  function put() {
    if (!lifted) return
    const { id } = lifted
    setLifted(null)
    setSaid(`${nameOf(id)} is ${placeOf(id, order)}.`)
    if (order.indexOf(id) !== ids.indexOf(id)) onMove(id, order[order.indexOf(id) + 1] ?? null)
  }

  function moveTo(at: number) {
    if (!lifted) return
    const others = order.filter((id) => id !== lifted.id)
    const next = others.toSpliced(Math.max(0, Math.min(at, others.length)), 0, lifted.id)
    if (next.indexOf(lifted.id) === order.indexOf(lifted.id)) return
    setLifted({ ...lifted, order: next })
    setSaid(`${nameOf(lifted.id)}, ${placeOf(lifted.id, next)}.`)
  }

  /** The place among the other rows that a pointer at this height means. */
  function placeAt(y: number): number {
    const others = order.filter((id) => id !== lifted?.id)
    const middles = others.map((id) => {
      const box = list.current?.querySelector(`[data-reorder="${id}"]`)?.getBoundingClientRect()
      return box ? box.top + box.height / 2 : 0
    })
    return middles.filter((middle) => middle < y).length
  }

  /** Moves a row up (-1) or down (1) at once, as Alt and an arrow do anywhere in it. False: it is at the end already. */
  function shift(id: string, by: -1 | 1): boolean {
    const others = ids.filter((one) => one !== id)
    const at = ids.indexOf(id) + by
    if (lifted || at < 0 || at > others.length) return false
    setSaid(`${nameOf(id)} is ${placeOf(id, others.toSpliced(at, 0, id))}.`)
    onMove(id, others[at] ?? null)
    return true
  }

  const handle = (id: string) => ({
    'data-handle': '',
    'aria-pressed': lifted?.id === id,
    // A finger that drags the handle must not scroll the page.
    style: { touchAction: 'none' },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || lifted) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setLifted({ id, order: ids, by: 'pointer' })
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (lifted?.by === 'pointer') moveTo(placeAt(event.clientY))
    },
    onPointerUp() {
      if (lifted?.by === 'pointer') put()
    },
    onPointerCancel: () => setLifted(null),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const isMine = lifted?.id === id && lifted.by === 'keys'
      if (event.key === ' ' || (event.key === 'Enter' && isMine)) {
        if (isMine) put()
        else {
          setLifted({ id, order: ids, by: 'keys' })
          setSaid(`${nameOf(id)} is lifted, ${placeOf(id, ids)}. Arrows move it, space puts it down, Escape puts it back.`)
        }
      } else if (isMine && event.key === 'Escape') {
        setLifted(null)
        setSaid(`${nameOf(id)} is back, ${placeOf(id, ids)}.`)
      } else if (isMine && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
        moveTo(order.indexOf(id) + (event.key === 'ArrowUp' ? -1 : 1))
      } else if (isMine && event.key === 'Tab') {
        put()
        return
      } else return
      event.preventDefault()
      event.stopPropagation()
    },
  })

  return {
    list,
    order,
    lifted: isThere ? lifted.id : null,
    handle,
    shift,
    /** What has just happened, for a live region. */
    said,
  }
}
