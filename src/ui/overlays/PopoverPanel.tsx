import { Popover as Primitive } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { cn } from '../cn.ts'
import { useTriggerFocus } from './useTriggerFocus.ts'

interface PopoverPanelProps {
  id: string
  /** `anchor`: the trigger. `returnTo`: where the focus returns, if not to the trigger. */
  focus: { anchor: RefObject<HTMLElement | null>; returnTo: RefObject<HTMLElement | null> | undefined }
  placement: { align: 'start' | 'center' | 'end' | undefined; side: 'top' | 'right' | 'bottom' | 'left' | undefined }
  onOpenChange: (open: boolean) => void
  label: string
  className?: string
  children: ReactNode
}

/** An open popover next to the trigger rendered by `Popover`. */
export default function PopoverPanel({ id, focus, placement, onOpenChange, label, className, children }: PopoverPanelProps) {
  const { align = 'start', side = 'bottom' } = placement
  const triggerFocus = useTriggerFocus(focus.anchor, focus.returnTo)
  return (
    <Primitive.Root open onOpenChange={onOpenChange}>
      <Primitive.Anchor virtualRef={focus.anchor} />
      <Primitive.Portal>
        <Primitive.Content
          {...triggerFocus}
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
