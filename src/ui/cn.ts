import { clsx, type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// Sizes and weights that tailwind-merge would otherwise confuse with colours or families.
const merge = extendTailwindMerge({
  extend: {
    theme: { text: ['title', 'portal', '3xs'], 'font-weight': ['regular'] },
    classGroups: { z: [{ z: ['(--z-sticky)', '(--z-shell)', '(--z-drawer)', '(--z-dialog)', '(--z-popover)', '(--z-toast)'] }] },
  },
})

export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
