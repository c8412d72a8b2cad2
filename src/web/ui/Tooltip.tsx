import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Keys } from './Kbd.tsx'

export const TooltipProvider = Primitive.Provider

interface TooltipProps {
  text: ReactNode
  /** Its key, as in 'mod+k' or 'g t'. */
  keys?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-popover) flex max-w-72 animate-menu items-center gap-2 rounded-sm bg-inverse px-2 py-1 text-xs font-medium text-fg-inverse shadow-md"
        >
          {text}
          {keys && <Keys keys={keys} className="[&_kbd]:border-current/30 [&_kbd]:bg-transparent [&_kbd]:text-fg-inverse" />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
