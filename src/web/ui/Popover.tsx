import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

interface PopoverProps {
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Names it for a screen reader. */
  label: string
  className?: string
}

export function Popover({ trigger, children, open, onOpenChange, align = 'start', side = 'bottom', label, className }: PopoverProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
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
