import { useState } from 'react'

/** A dialog's state, and the focus that goes back to where it was opened from. */
export function useDialogs<State>() {
  const [state, setState] = useState<State | null>(null)
  const [opener, setOpener] = useState<Element | null>(null)
  return {
    state,
    open: (next: State) => {
      setOpener(document.activeElement)
      setState(next)
    },
    // The dialog that stood while its code and data came does not know what had the focus.
    close: () => {
      setState(null)
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    },
  }
}
