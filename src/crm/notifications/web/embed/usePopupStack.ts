import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** How long the stack stays open over the page. */
const collapseAfterMs = 8_000
/** How often it looks whether its place is still free. */
const placeEveryMs = 200
/** How long the pointer is on a control beneath before the stack collapses: on its way to the stack's own buttons it crosses some. */
const restMs = 150
/** A focus that moves so long after the last key or press was moved by the page, as when it opens with a field in hand. */
const ownFocusMs = 1_000
/** How large a button is to a finger (theme.css, touch-target). */
const touchTarget = 44
/** How far down it may move to leave the controls of the page free, and by what steps. */
const [maxShift, step] = [320, 4]

const controls =
  'a[href], button, input, select, textarea, summary, label, [role="button"], [role="link"], [role="tab"], [role="checkbox"], [role="radio"], [role="switch"], [role="combobox"], [role="option"], [role="gridcell"], [role="slider"], [contenteditable="true"], [tabindex]:not([tabindex="-1"])'

const contains = (box: DOMRect, x: number, y: number): boolean => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom

/**
 * Keeps the stack out of the way. It collapses after 8 s, on Esc, and when the pointer rests on, or the focus goes to, a control beneath it; the
 * pointer elsewhere on the stack, or the focus inside it, keeps it open. Its own buttons move down until none of them lies over the middle of a
 * control of the page. Where there is no such place, the stack is mute: it shows no buttons.
 */
export function usePopupStack(
  shownId: string | undefined,
  onCollapse: () => void,
): { stack: RefObject<HTMLElement | null>; isMute: boolean } {
  const stack = useRef<HTMLElement>(null)
  const shift = useRef(0)
  const [isMute, setMute] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const collapse = useEffectEvent(onCollapse)

  useEffect(() => {
    if (shownId === undefined || isHeld) return
    const timer = setTimeout(() => collapse(), collapseAfterMs)
    return () => clearTimeout(timer)
  }, [shownId, isHeld])

  useEffect(() => {
    let usedAt = -Infinity
    const isOwn = (target: EventTarget | null) => target instanceof Node && stack.current!.contains(target)
    /** The control beneath the stack's surface at that point; none beneath its own buttons. */
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
      setHeld((isOwn(event.target) && !control) || isOwn(document.activeElement))
    }
    // The surface takes the click, so that no hidden control is pressed. The stack collapses, and the next click reaches the control.
    function onClick(event: MouseEvent) {
      if (controlBeneath(event)) collapse()
    }
    function onFocus({ target, timeStamp }: FocusEvent) {
      if (isOwn(target)) return setHeld(true)
      setHeld(false)
      const [box, own] = [(target as Element).getBoundingClientRect(), stack.current!.getBoundingClientRect()]
      const isBeneath = box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top
      if (isBeneath && timeStamp - usedAt < ownFocusMs && (target as Element).matches(controls)) collapse()
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
    const place = () => {
      const free = freeShift(stack.current!, shift.current)
      // At once, not with the next render: what is measured next is measured where it stands then.
      shift.current = free ?? 0
      stack.current!.style.translate = `0 ${shift.current}px`
      setMute(free === null)
    }
    place()
    // The page loads, is scrolled, resized and changed by what is live: looking again costs less than knowing of all that moves it.
    const timer = setInterval(place, placeEveryMs)
    return () => clearInterval(timer)
  }, [shownId])

  return { stack, isMute }
}

/** The shift that it has, while that will do; else the least that will; null where no place is free. */
function freeShift(stack: HTMLElement, now: number): number | null {
  const box = stack.getBoundingClientRect()
  const least = matchMedia('(pointer: coarse), (width < 48rem)').matches ? touchTarget : 0
  const own = [...stack.querySelectorAll('button')].map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect()
    // What is hit goes by whole pixels, and a place at the very edge is none.
    const [moreX, moreY] = [Math.max(4, least - width), Math.max(4, least - height)]
    return new DOMRect(left - moreX / 2, top - moreY / 2, width + moreX, height + moreY)
  })
  const middles = [...document.querySelectorAll(controls)]
    .filter((element) => !stack.contains(element))
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height, left, right }) => width > 0 && height > 0 && right > box.left && left < box.right)
    .map(({ left, top, width, height }) => [left + width / 2, top + height / 2] as const)
  const isFree = (shift: number) => !middles.some(([x, y]) => own.some((button) => contains(button, x, y - (shift - now))))
  if (isFree(now)) return now
  const most = Math.min(maxShift, innerHeight - (box.bottom - now) - step)
  for (let shift = 0; shift <= most; shift += step) if (isFree(shift)) return shift
  return null
}
