import { Menu } from 'radix-ui/internal'
import { useRef, type ReactNode, type RefObject } from 'react'
import { cn } from '../cn.ts'
import { MenuParts, menuPanel } from './menu-parts.ts'
import { useReturnOfFocus } from './useReturnOfFocus.ts'

interface MenuPanelProps {
  id: string
  anchor: RefObject<HTMLElement | null>
  onOpenChange: (open: boolean) => void
  /** Opened by a key, the first entry has the focus; by the pointer, none until it comes to one. */
  byPointer: boolean
  align: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** An open menu, beside the trigger that `DropdownMenu` has drawn. */
export default function MenuPanel({ id, anchor, onOpenChange, byPointer, align, className, children }: MenuPanelProps) {
  const focus = useReturnOfFocus(anchor)
  // Leaving an entry with the pointer leaves none in hand: the menu is entered but once.
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
