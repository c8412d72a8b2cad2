import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'

interface PrintSheetProps {
  /** As wide as the paper. */
  wide?: boolean
  /** Called each time the browser starts printing it. */
  onPrint: () => void
  children: ReactNode
}

/** Printed instead of the page while mounted, black on white in every theme; see theme.css. */
export function PrintSheet({ wide = false, onPrint, children }: PrintSheetProps) {
  useEffect(() => {
    addEventListener('beforeprint', onPrint)
    return () => removeEventListener('beforeprint', onPrint)
  }, [onPrint])
  return createPortal(<div data-print-sheet={wide ? 'wide' : ''}>{children}</div>, document.body)
}
