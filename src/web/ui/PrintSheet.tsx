import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** What is printed in place of the page while this stands in it, in black on white whatever the theme; see theme.css. `wide`: as wide as the paper. */
export function PrintSheet({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return createPortal(<div data-print-sheet={wide ? 'wide' : ''}>{children}</div>, document.body)
}
