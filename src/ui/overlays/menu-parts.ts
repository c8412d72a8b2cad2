import type { Menu } from 'radix-ui/internal'
import { createContext, use } from 'react'

/** A menu's entries take their behaviour from the panel that they stand in, so that naming them in a page does not load it. */
export const MenuParts = createContext<typeof Menu | null>(null)

export function useMenuParts(): typeof Menu {
  const parts = use(MenuParts)
  if (!parts) throw new Error('An entry of a menu stands outside a DropdownMenu')
  return parts
}

/** The looks of a menu and of the menus that open beside it. */
export const menuPanel =
  'z-(--z-popover) max-h-(--radix-popper-available-height) min-w-48 max-w-80 animate-menu overflow-y-auto rounded-md bg-raised p-1 text-sm text-fg shadow-md outline-none'
