import { type RefObject, useEffect } from 'react'

/** A new stage takes the focus and is seen from its top: what had the focus before is gone. */
export function useFocusOnArrival(target: RefObject<HTMLElement | null>, isWanted = true): void {
  useEffect(() => {
    if (!isWanted) return
    scrollTo(0, 0)
    target.current?.focus({ preventScroll: true })
  }, [target, isWanted])
}
