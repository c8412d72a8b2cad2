import { type RefObject, useEffect } from 'react'

/** Scrolls to the top and focuses the new stage, because the previously focused element is gone. */
export function useFocusOnArrival(target: RefObject<HTMLElement | null>, isEnabled = true): void {
  useEffect(() => {
    if (!isEnabled) return
    scrollTo(0, 0)
    target.current?.focus({ preventScroll: true })
  }, [target, isEnabled])
}
