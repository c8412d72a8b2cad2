import { Slot } from 'radix-ui'
import { useEffect, useId, useRef, useState, type ComponentProps, type FocusEvent, type PointerEvent, type ReactNode } from 'react'
import type TooltipBubble from './TooltipBubble.tsx'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'

const bubble: Loadable<typeof import('./TooltipBubble.tsx')> = loadable(() => import('./TooltipBubble.tsx'))

/** Milliseconds: delay before showing; time after one closes during which the next shows at once; and time to move the pointer onto it. */
const [showDelayMs, nextAtOnce, way] = [400, 300, 120]
let lastGone = -Infinity

interface TooltipProps {
  text: ReactNode
  /** Its shortcut, as in 'mod+k' or 'g t'. */
  keys?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}

/** Shown on hover or keyboard focus. Its code loads on first use. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLElement>(null)
  const timer = useRef(0)
  const [open, setOpen] = useState(false)

  function soon(wanted: boolean, milliseconds: number) {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setOpen(wanted), milliseconds)
  }
  function hide() {
    clearTimeout(timer.current)
    setOpen(false)
  }
  function onPointerEnter(event: PointerEvent) {
    if (event.pointerType === 'touch') return
    bubble.prepare()
    soon(true, performance.now() - lastGone < nextAtOnce ? 0 : showDelayMs)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    // Escape closes one layer at a time: the tooltip before its surroundings.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      setOpen(false)
    }
    const onScroll = (event: Event) => event.target instanceof Node && event.target.contains(anchor.current) && setOpen(false)
    window.addEventListener('keydown', onKeyDown, { capture: true })
    window.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => {
      lastGone = performance.now()
      window.removeEventListener('keydown', onKeyDown, { capture: true })
      window.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [open])

  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={open ? id : undefined}
        onPointerEnter={onPointerEnter}
        onPointerLeave={() => soon(false, way)}
        onPointerDown={hide}
        onClick={hide}
        onFocus={(event: FocusEvent) => event.target.matches(':focus-visible') && setOpen(true)}
        onBlur={hide}
      >
        {children}
      </Slot.Root>
      {open && (
        <LoadedBubble
          id={id}
          anchor={anchor}
          text={text}
          keys={keys}
          side={side}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={() => soon(false, way)}
        />
      )}
    </>
  )
}

function LoadedBubble(props: ComponentProps<typeof TooltipBubble>) {
  const loaded = useLoaded(bubble)
  if (!loaded) return null
  const { default: Bubble } = loaded
  return <Bubble {...props} />
}
