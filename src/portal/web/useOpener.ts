import { useState } from 'react'

/** Returns the focus to the element that had it when a dialog opened, unless something else has been focused since. */
export function useOpener(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
  }
}
