import { useState } from 'react'

/** For a dialog: gives the focus back to what had it when it opened, unless the page has given it to something else in the meantime. */
export function useOpener(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
  }
}
