import { Slot } from 'radix-ui'
import { useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'

interface DialogTriggerProps {
  /** What it opens. */
  kind: 'menu' | 'dialog'
  open: boolean
  onOpenChange: (open: boolean, byPointer: boolean) => void
  /** Fetches the code of what it opens, as soon as someone reaches for it. */
  prepare: () => void
  /** The id of what it opens. */
  controls: string
  /** What is opened stands beside this element, and gives the focus back to it. */
  ref: RefObject<HTMLElement | null>
  children: ReactNode
}

/** The button that opens a menu or a popover, whose code comes only when it is wanted: a first load does without it. */
export function DialogTrigger({ kind, open, onOpenChange, prepare, controls, ref, children }: DialogTriggerProps) {
  function openByArrow(event: KeyboardEvent) {
    if (kind !== 'menu' || event.key !== 'ArrowDown') return
    event.preventDefault()
    onOpenChange(true, false)
  }
  return (
    <Slot.Root
      ref={ref}
      aria-haspopup={kind}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      data-state={open ? 'open' : 'closed'}
      onPointerEnter={prepare}
      onFocus={prepare}
      onKeyDown={openByArrow}
      // A key that presses a button makes a click without a count.
      onClick={({ detail }) => onOpenChange(!open, detail > 0)}
    >
      {children}
    </Slot.Root>
  )
}

/** Whether a layer is open: as its owner says, or as its trigger does where the owner leaves it to it. */
export function useOpen(owned: boolean | undefined, onOpenChange?: (open: boolean) => void): [open: boolean, set: (open: boolean) => void] {
  const [own, setOwn] = useState(false)
  return [
    owned ?? own,
    (next) => {
      setOwn(next)
      onOpenChange?.(next)
    },
  ]
}
