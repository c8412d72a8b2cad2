import { useEffect, useRef } from 'react'

interface Drag {
  /** A card has left its place. `ghost` tells how it lies under the pointer. */
  onLift: (id: string, ghost: { width: number; x: number; y: number }) => void
  /** Where the picture of the card is now, in pixels of the window. */
  onMove: (x: number, y: number) => void
  /** The column under the pointer; null where there is none. */
  onOver: (stageId: string | null) => void
  onDrop: (id: string, stageId: string) => void
  onCancel: (id: string) => void
}

/** A mouse has to move this far, in pixels, before a press is a drag; a finger has to rest that long, and may tremble a little. */
const [mouseSlack, fingerSlack, fingerPatience] = [5, 10, 300]
/** Near the board's edge it scrolls, by at most so many pixels a frame. */
const [edge, fastest] = [48, 14]

/**
 * Dragging cards from column to column by mouse, pen or finger. Within a column cards have an order of their own, so there is nothing to sort:
 * all that counts is the column under the pointer. A finger that moves at once scrolls; one that rests lifts the card.
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
      clearTimeout(now.patience)
      getSelection()?.removeAllRanges()
      const { left, top, width } = now.card.getBoundingClientRect()
      now.grip = { x: now.x - left, y: now.y - top }
      latest.current.onLift(now.id, { width, x: left, y: top })
      follow()
    }

    /** The picture, the column under the pointer and the board's own scrolling, once a frame: columns move under a pointer that rests. */
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
      const { id, lifted, over, patience } = press
      clearTimeout(patience)
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
        if (event.pointerType === 'touch') now.patience = setTimeout(() => lift(now), fingerPatience)
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
        if (press.patience === undefined) {
          if (far > mouseSlack) lift(press)
        } else if (far > fingerSlack) finish(false)
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
    // A lifted card must not scroll the page, and a finger that rests on it asks for no menu of the browser.
    board.addEventListener('touchmove', (event) => press?.lifted && event.preventDefault(), { ...listen, passive: false })
    board.addEventListener('contextmenu', (event) => press?.patience !== undefined && event.preventDefault(), listen)
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
  /** Where in the card it is held. */
  grip: Point
  over: string | null
  /** Of a finger: until the card is lifted. */
  patience?: ReturnType<typeof setTimeout>
  lifted?: boolean
}

const place = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

function speed(x: number, { left, right }: DOMRect): number {
  if (x < left + edge) return -fastest * Math.min(1, (left + edge - x) / edge)
  if (x > right - edge) return fastest * Math.min(1, (x - right + edge) / edge)
  return 0
}

function columnAt(board: HTMLElement, x: number): string | null {
  for (const column of board.querySelectorAll<HTMLElement>('[data-stage]')) {
    const { left, right } = column.getBoundingClientRect()
    if (x >= left && x < right) return column.dataset.stage ?? null
  }
  return null
}

/** The press ends with a click on what is under it, which is a link. */
function suppressClick() {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}
