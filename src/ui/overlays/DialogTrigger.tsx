import { Slot } from 'radix-ui'
import { useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'

interface DialogTriggerProps {
  /** Kind of layer. */
  kind: 'menu' | 'dialog'
  open: boolean
  onOpenChange: (open: boolean, byPointer: boolean) => void
  /** Preloads the layer's code on hover or focus. */
  prepare: () => void
  /** Id of the layer. */
  controls: string
  /** The layer is positioned next to this element and returns the focus to it. */
  ref: RefObject<HTMLElement | null>
  children: ReactNode
}

/** The button that opens a menu or popover, whose code is loaded on demand to keep the first load small. */
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
      // A keyboard press produces a click with count zero.
      onClick={({ detail }) => onOpenChange(!open, detail > 0)}
    >
      {children}
    </Slot.Root>
  )
}

/** Whether a layer is open: controlled by its owner, otherwise by its trigger. */
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
