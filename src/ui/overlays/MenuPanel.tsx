import { Menu } from 'radix-ui/internal'
import { useRef, type ReactNode, type RefObject } from 'react'
import { cn } from '../cn.ts'
import { MenuParts, menuPanel } from './menu-parts.ts'
import { useTriggerFocus } from './useTriggerFocus.ts'

interface MenuPanelProps {
  id: string
  anchor: RefObject<HTMLElement | null>
  onOpenChange: (open: boolean) => void
  /** Opened by keyboard, the first item has the focus; by pointer, none until hovered. */
  byPointer: boolean
  align: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** An open menu next to the trigger rendered by `DropdownMenu`. */
export default function MenuPanel({ id, anchor, onOpenChange, byPointer, align, className, children }: MenuPanelProps) {
  const focus = useTriggerFocus(anchor)
  // Leaving an item with the pointer leaves no item active: the menu gets focus on entry only.
  const entered = useRef(byPointer)
  return (
    <MenuParts value={Menu}>
      <Menu.Root open onOpenChange={onOpenChange} modal={false}>
        <Menu.Anchor virtualRef={anchor} />
        <Menu.Portal>
          <Menu.Content
            {...focus}
            id={id}
            align={align}
            sideOffset={4}
            collisionPadding={8}
            aria-label={anchor.current?.getAttribute('aria-label') ?? anchor.current?.textContent ?? undefined}
            onEntryFocus={(event) => {
              event.preventDefault()
              if (!entered.current) firstEntry(event)?.focus()
              entered.current = true
            }}
            className={cn(menuPanel, className)}
          >
            {children}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
    </MenuParts>
  )
}

function firstEntry({ currentTarget }: Event): HTMLElement | null {
  return currentTarget instanceof Element ? currentTarget.querySelector('[role^="menuitem"]:not([data-disabled])') : null
}
