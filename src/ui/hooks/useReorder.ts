import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Reorder {
  /** Rows in order. */
  ids: readonly string[]
  nameOf: (id: string) => string
  /** A row was moved before another one; null: to the end. */
  onMove: (id: string, before: string | null) => void
}

interface Lifted {
  id: string
  order: readonly string[]
  by: 'pointer' | 'keys'
}

const handleOf = (list: HTMLElement | null, id: string) => list?.querySelector<HTMLElement>(`[data-reorder="${id}"] [data-handle]`)

/**
 * A list reordered by handles: dragged by mouse, pen or finger, or picked up with the space bar, moved with the arrows, and dropped with
 * the space bar or cancelled with Escape. Each row has `data-reorder`, its handle takes `handle(id)`.
 */
export function useReorder({ ids, nameOf, onMove }: Reorder) {
  const list = useRef<HTMLUListElement>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  const [announcement, setAnnouncement] = useState('')
  // Removing a row ends its drag.
  const isThere = lifted !== null && ids.includes(lifted.id)
  const order = isThere ? lifted.order.filter((id) => ids.includes(id)) : ids

  // A row that moves in the DOM loses the focus.
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
    setAnnouncement(`${nameOf(id)} is ${placeOf(id, order)}.`)
    if (order.indexOf(id) !== ids.indexOf(id)) onMove(id, order[order.indexOf(id) + 1] ?? null)
  }

  function moveTo(at: number) {
    if (!lifted) return
    const others = order.filter((id) => id !== lifted.id)
    const next = others.toSpliced(Math.max(0, Math.min(at, others.length)), 0, lifted.id)
    if (next.indexOf(lifted.id) === order.indexOf(lifted.id)) return
    setLifted({ ...lifted, order: next })
    setAnnouncement(`${nameOf(lifted.id)}, ${placeOf(lifted.id, next)}.`)
  }

  /** Index among the other rows for a pointer at this height. */
  function placeAt(y: number): number {
    const others = order.filter((id) => id !== lifted?.id)
    const middles = others.map((id) => {
      const box = list.current?.querySelector(`[data-reorder="${id}"]`)?.getBoundingClientRect()
      return box ? box.top + box.height / 2 : 0
    })
    return middles.filter((middle) => middle < y).length
  }

  /** Moves a row up (-1) or down (1) at once, as Alt with an arrow does anywhere in it. False if it is already at the end. */
  function shift(id: string, by: -1 | 1): boolean {
    const others = ids.filter((one) => one !== id)
    const at = ids.indexOf(id) + by
    if (lifted || at < 0 || at > others.length) return false
    setAnnouncement(`${nameOf(id)} is ${placeOf(id, others.toSpliced(at, 0, id))}.`)
    onMove(id, others[at] ?? null)
    return true
  }

  const handle = (id: string) => ({
    'data-handle': '',
    'aria-pressed': lifted?.id === id,
    // Dragging the handle by finger must not scroll the page.
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
          setAnnouncement(`${nameOf(id)} picked up, ${placeOf(id, ids)}. Use the arrow keys to move, space to drop, Escape to cancel.`)
        }
      } else if (isMine && event.key === 'Escape') {
        setLifted(null)
        setAnnouncement(`${nameOf(id)} is back, ${placeOf(id, ids)}.`)
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
    /** Announcement for a live region. */
    announcement,
  }
}
