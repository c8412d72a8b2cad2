import { useEffect, useEffectEvent } from 'react'

/** The palette leads to a calendar with the dialog open: `onAsked` opens it, and takes that out of the address, which does not open it again. */
export function useBookFromAddress(isAsked: boolean, onAsked: () => void): void {
  const open = useEffectEvent(onAsked)
  useEffect(() => {
    if (isAsked) open()
  }, [isAsked])
}
