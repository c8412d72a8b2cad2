import { useEffect, useRef } from 'react'

interface Drag {
  /** A card was picked up. `ghost`: position and width of its drag image. */
  onLift: (id: string, ghost: { width: number; x: number; y: number }) => void
  /** The position of the drag image, in pixels of the window. */
  onMove: (x: number, y: number) => void
  /** The column under the pointer, or null. */
  onOver: (stageId: string | null) => void
  onDrop: (id: string, stageId: string) => void
  onCancel: (id: string) => void
}

/**
 * A drag starts after the mouse moved this far (px), or after a long press (ms) during which the finger moved less than the tolerance (px).
 */
const [mouseThreshold, touchTolerance, longPressMs] = [5, 10, 300]
/** Near its edge (px) the board scrolls, at most this many pixels per frame. */
const [edgeSize, maxScrollStep] = [48, 14]

/**
 * Drags cards between columns by mouse, pen or touch. Columns have a fixed order, so only the column under the pointer matters. A touch
 * that moves at once scrolls; a long press picks up the card.
 */
export function usePointerDrag(board: HTMLElement | null, drag: Drag): void {
  const latest = useRef(drag)
  useEffect(() => {
    latest.current = drag
  })

  useEffect(() => {
    if (!board) return
    const ending = new AbortController()
    const listen = { signal: ending.signal }
    let press: Press | null = null
    let frame = 0

    function lift(now: Press) {
      now.lifted = true
      clearTimeout(now.liftTimer)
      getSelection()?.removeAllRanges()
      const { left, top, width } = now.card.getBoundingClientRect()
      now.grip = { x: now.x - left, y: now.y - top }
      latest.current.onLift(now.id, { width, x: left, y: top })
      follow()
    }

    /** Updates drag image, target column and scroll position on every frame, because columns scroll under a resting pointer. */
    function follow() {
      if (!press?.lifted || !board) return
      const { x, y, grip } = press
      latest.current.onMove(x - grip.x, y - grip.y)
      const bounds = board.getBoundingClientRect()
      board.scrollLeft += speed(x, bounds)
      const over = columnAt(board, x)
      if (over !== press.over) {
        press.over = over
        latest.current.onOver(over)
      }
      frame = requestAnimationFrame(follow)
    }

    function finish(dropped: boolean) {
      if (!press) return
      const { id, lifted, over, liftTimer } = press
      clearTimeout(liftTimer)
      cancelAnimationFrame(frame)
      press = null
      if (!lifted) return
      suppressClick()
      if (dropped && over !== null) latest.current.onDrop(id, over)
      else latest.current.onCancel(id)
    }

    board.addEventListener(
      'pointerdown',
      (event) => {
        const target = event.target instanceof Element ? event.target : null
        const card = target?.closest<HTMLElement>('[data-card]')
        const id = card?.dataset.card
        if (press || !card || !id || event.button !== 0 || !event.isPrimary || target?.closest('button')) return
        const now: Press = { ...place(event), id, card, pointer: event.pointerId, start: place(event), grip: { x: 0, y: 0 }, over: null }
        if (event.pointerType === 'touch') now.liftTimer = setTimeout(() => lift(now), longPressMs)
        press = now
      },
      listen,
    )
    addEventListener(
      'pointermove',
      (event) => {
        if (press?.pointer !== event.pointerId) return
        Object.assign(press, place(event))
        if (press.lifted) return
        const far = Math.hypot(press.x - press.start.x, press.y - press.start.y)
        if (press.liftTimer === undefined) {
          if (far > mouseThreshold) lift(press)
        } else if (far > touchTolerance) finish(false)
      },
      listen,
    )
    addEventListener('pointerup', (event) => press?.pointer === event.pointerId && finish(true), listen)
    addEventListener('pointercancel', (event) => press?.pointer === event.pointerId && finish(false), listen)
    addEventListener('blur', () => finish(false), listen)
    addEventListener(
      'keydown',
      (event) => {
        if (!press?.lifted || event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        finish(false)
      },
      { ...listen, capture: true },
    )
    // Dragging must not scroll the page, and a long press must not open the browser's context menu.
    board.addEventListener('touchmove', (event) => press?.lifted && event.preventDefault(), { ...listen, passive: false })
    board.addEventListener('contextmenu', (event) => press?.liftTimer !== undefined && event.preventDefault(), listen)
    return () => {
      finish(false)
      ending.abort()
    }
  }, [board])
}

interface Point {
  x: number
  y: number
}

interface Press extends Point {
  id: string
  card: HTMLElement
  pointer: number
  start: Point
  /** The pointer position within the card. */
  grip: Point
  over: string | null
  /** For touch: the timer that picks up the card. */
  liftTimer?: ReturnType<typeof setTimeout>
  lifted?: boolean
}

const place = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

function speed(x: number, { left, right }: DOMRect): number {
  if (x < left + edgeSize) return -maxScrollStep * Math.min(1, (left + edgeSize - x) / edgeSize)
  if (x > right - edgeSize) return maxScrollStep * Math.min(1, (x - right + edgeSize) / edgeSize)
  return 0
}

function columnAt(board: HTMLElement, x: number): string | null {
  for (const column of board.querySelectorAll<HTMLElement>('[data-stage]')) {
    const { left, right } = column.getBoundingClientRect()
    if (x >= left && x < right) return column.dataset.stage ?? null
  }
  return null
}

/** Suppresses the click that ends the press, because the card is a link. */
function suppressClick() {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}
