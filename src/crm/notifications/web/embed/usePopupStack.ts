import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** How long the stack stays open. */
const collapseAfterMs = 8_000
/** How often the stack checks whether it covers controls. */
const positionEveryMs = 200
/** How long the pointer rests on a covered control before the stack collapses. On its way to the stack's buttons it crosses some. */
const restMs = 150
/** A focus change later than this after the last key or press was made by the page, for example one that focuses a field when it opens. */
const userFocusMs = 1_000
/** The touch size of a button in px (theme.css, touch-target). */
const touchTarget = 44
/** How far the stack may move down to uncover controls, and the step, in px. */
const [maxShift, step] = [320, 4]

const controls =
  'a[href], button, input, select, textarea, summary, label, [role="button"], [role="link"], [role="tab"], [role="checkbox"], [role="radio"], [role="switch"], [role="combobox"], [role="option"], [role="gridcell"], [role="slider"], [contenteditable="true"], [tabindex]:not([tabindex="-1"])'

const contains = (box: DOMRect, x: number, y: number): boolean => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom

/**
 * Keeps the stack out of the way. It collapses after 8 s, on Esc, and when the pointer rests on, or the focus moves to, a control beneath
 * it. It stays open while the pointer is elsewhere on it or the focus is inside it. It moves down until none of its buttons covers the
 * middle of a control of the page. If there is no such position, it hides its buttons.
 */
export function usePopupStack(
  shownId: string | undefined,
  onCollapse: () => void,
): { stack: RefObject<HTMLElement | null>; hidesButtons: boolean } {
  const stack = useRef<HTMLElement>(null)
  const shift = useRef(0)
  const [hidesButtons, setHidesButtons] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const collapse = useEffectEvent(onCollapse)

  useEffect(() => {
    if (shownId === undefined || isPaused) return
    const timer = setTimeout(() => collapse(), collapseAfterMs)
    return () => clearTimeout(timer)
  }, [shownId, isPaused])

  // A layout effect: its listeners end before the stack leaves the page, not some events later.
  useLayoutEffect(() => {
    let usedAt = -Infinity
    const isOwn = (target: EventTarget | null) => target instanceof Node && stack.current!.contains(target)
    /** The control of the page beneath the stack at that point. Null over the stack's own buttons. */
    function controlBeneath({ target, clientX, clientY }: MouseEvent): Element | null {
      if (!isOwn(target) || (target as Element).closest('button')) return null
      return (
        document
          .elementsFromPoint(clientX, clientY)
          .find((element) => !isOwn(element))
          ?.closest(controls) ?? null
      )
    }
    let aimed: Element | null = null
    let rest: ReturnType<typeof setTimeout> | undefined
    function onPointer(event: PointerEvent) {
      if (event.type === 'pointerdown') usedAt = event.timeStamp
      const control = controlBeneath(event)
      if (control !== aimed) {
        clearTimeout(rest)
        if (control) rest = setTimeout(() => collapse(), restMs)
        aimed = control
      }
      setPaused((isOwn(event.target) && !control) || isOwn(document.activeElement))
    }
    // The stack swallows the click, so that no covered control is pressed. It collapses, and the next click reaches the control.
    function onClick(event: MouseEvent) {
      if (controlBeneath(event)) collapse()
    }
    function onFocus({ target, timeStamp }: FocusEvent) {
      if (isOwn(target)) return setPaused(true)
      setPaused(false)
      const [box, own] = [(target as Element).getBoundingClientRect(), stack.current!.getBoundingClientRect()]
      const isBeneath = box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top
      if (isBeneath && timeStamp - usedAt < userFocusMs && (target as Element).matches(controls)) collapse()
    }
    function onKey(event: KeyboardEvent) {
      usedAt = event.timeStamp
      if (event.key === 'Escape' && !event.isComposing && !document.querySelector('[role="dialog"], [role="alertdialog"]')) collapse()
    }
    const options = { capture: true }
    document.addEventListener('pointermove', onPointer, options)
    document.addEventListener('pointerdown', onPointer, options)
    document.addEventListener('click', onClick, options)
    document.addEventListener('focusin', onFocus, options)
    document.addEventListener('keydown', onKey, options)
    return () => {
      clearTimeout(rest)
      document.removeEventListener('pointermove', onPointer, options)
      document.removeEventListener('pointerdown', onPointer, options)
      document.removeEventListener('click', onClick, options)
      document.removeEventListener('focusin', onFocus, options)
      document.removeEventListener('keydown', onKey, options)
    }
  }, [])

  useLayoutEffect(() => {
    const position = () => {
      const free = freeShift(stack.current!, shift.current)
      // Set directly, not with the next render, so that the next measurement uses the new position.
      shift.current = free ?? 0
      stack.current!.style.translate = `0 ${shift.current}px`
      setHidesButtons(free === null)
    }
    position()
    // Loading, scrolling, resizing and live updates all move controls. Polling is cheaper than observing everything that can.
    const timer = setInterval(position, positionEveryMs)
    return () => clearInterval(timer)
  }, [shownId])

  return { stack, hidesButtons }
}

/** The current shift if it covers no controls, otherwise the smallest one that does not, or null. */
function freeShift(stack: HTMLElement, now: number): number | null {
  const box = stack.getBoundingClientRect()
  const minSize = matchMedia('(pointer: coarse), (width < 48rem)').matches ? touchTarget : 0
  const own = [...stack.querySelectorAll('button')].map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect()
    // Hit testing uses whole pixels, and a control at the very edge counts as covered.
    const [moreX, moreY] = [Math.max(4, minSize - width), Math.max(4, minSize - height)]
    return new DOMRect(left - moreX / 2, top - moreY / 2, width + moreX, height + moreY)
  })
  const middles = [...document.querySelectorAll(controls)]
    .filter((element) => !stack.contains(element))
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height, left, right }) => width > 0 && height > 0 && right > box.left && left < box.right)
    .map(({ left, top, width, height }) => [left + width / 2, top + height / 2] as const)
  const isFree = (shift: number) => !middles.some(([x, y]) => own.some((button) => contains(button, x, y - (shift - now))))
  if (isFree(now)) return now
  const limit = Math.min(maxShift, innerHeight - (box.bottom - now) - step)
  for (let shift = 0; shift <= limit; shift += step) if (isFree(shift)) return shift
  return null
}
