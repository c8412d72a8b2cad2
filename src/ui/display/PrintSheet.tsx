import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'

interface PrintSheetProps {
  /** As wide as the paper. */
  wide?: boolean
  /** Told each time that the browser begins to print it. */
  onPrint: () => void
  children: ReactNode
}

/** What is printed in place of the page while this stands in it, in black on white whatever the theme; see theme.css. */
export function PrintSheet({ wide = false, onPrint, children }: PrintSheetProps) {
  useEffect(() => {
    addEventListener('beforeprint', onPrint)
    return () => removeEventListener('beforeprint', onPrint)
  }, [onPrint])
  return createPortal(<div data-print-sheet={wide ? 'wide' : ''}>{children}</div>, document.body)
}
