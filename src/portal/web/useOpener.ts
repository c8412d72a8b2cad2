import { useState } from 'react'

/**
 * Returns the focus to the element that had it when a dialog opened, or to the page's title if that is gone, unless something else has been focused
 * since.
 */
export function useOpener(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    if (document.activeElement !== document.body) return
    const isHere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
    const target = isHere ? opener : document.querySelector<HTMLElement>('main h1')
    target?.focus()
  }
}
