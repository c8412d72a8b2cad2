import { Portal } from 'radix-ui'
import { Popper } from 'radix-ui/internal'
import type { ReactNode, RefObject } from 'react'
import { Keys } from '../display/Kbd.tsx'

interface TooltipBubbleProps {
  id: string
  anchor: RefObject<HTMLElement | null>
  text: ReactNode
  keys?: string
  side: 'top' | 'right' | 'bottom' | 'left'
  onPointerEnter: () => void
  onPointerLeave: () => void
}

/** The tooltip's text, next to its element. */
export default function TooltipBubble({ id, anchor, text, keys, side, ...pointer }: TooltipBubbleProps) {
  return (
    <Popper.Root>
      <Popper.Anchor virtualRef={anchor} />
      <Portal.Root asChild>
        <Popper.Content
          {...pointer}
          id={id}
          role="tooltip"
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-popover) flex max-w-72 animate-menu items-center gap-2 rounded-sm bg-inverse px-2 py-1 text-xs font-medium text-fg-inverse shadow-md"
        >
          {text}
          {keys && <Keys keys={keys} className="[&_kbd]:border-current/30 [&_kbd]:bg-transparent [&_kbd]:text-fg-inverse" />}
        </Popper.Content>
      </Portal.Root>
    </Popper.Root>
  )
}
