import type { Menu } from 'radix-ui/internal'
import { createContext, use } from 'react'

/** Menu items get their behaviour from the panel around them, so using them in a page does not load it. */
export const MenuParts = createContext<typeof Menu | null>(null)

export function useMenuParts(): typeof Menu {
  const parts = use(MenuParts)
  if (!parts) throw new Error('A menu item was rendered outside a DropdownMenu')
  return parts
}

/** Styles of a menu and its submenus. */
export const menuPanel =
  'z-(--z-popover) max-h-(--radix-popper-available-height) min-w-48 max-w-80 animate-menu overflow-y-auto rounded-md bg-raised p-1 text-sm text-fg shadow-md outline-none'
