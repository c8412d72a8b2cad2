import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** What is printed in place of the page while this stands in it, in black on white whatever the theme; see theme.css. */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(<div data-print-sheet>{children}</div>, document.body)
}
