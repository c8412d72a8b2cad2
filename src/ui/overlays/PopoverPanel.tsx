import { Popover as Primitive } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { cn } from '../cn.ts'
import { useTriggerFocus } from './useTriggerFocus.ts'

interface PopoverPanelProps {
  id: string
  anchor: RefObject<HTMLElement | null>
  onOpenChange: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  label: string
  returnTo?: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

/** An open popover next to the trigger rendered by `Popover`. */
export default function PopoverPanel({
  id,
  anchor,
  onOpenChange,
  align = 'start',
  side = 'bottom',
  label,
  returnTo,
  className,
  children,
}: PopoverPanelProps) {
  const focus = useTriggerFocus(anchor, returnTo)
  return (
    <Primitive.Root open onOpenChange={onOpenChange}>
      <Primitive.Anchor virtualRef={anchor} />
      <Primitive.Portal>
        <Primitive.Content
          {...focus}
          onOpenAutoFocus={(event) => {
            const wanted = event.target instanceof HTMLElement && event.target.querySelector<HTMLElement>('[data-autofocus]')
            if (!wanted) return
            event.preventDefault()
            wanted.focus({ preventScroll: true })
          }}
          id={id}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={cn(
            'z-(--z-popover) max-h-(--radix-popover-content-available-height) max-w-(--radix-popover-content-available-width) animate-menu overflow-y-auto rounded-md bg-raised p-3 text-sm text-fg shadow-md outline-none',
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
