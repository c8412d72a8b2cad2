import { createContext, type RefCallback, type RefObject, use, useCallback } from 'react'

/** The element to focus when the focused row is removed. */
export const FocusRefuge = createContext<RefObject<HTMLElement | null>>({ current: null })

/** The ref for a row: when the focused row is removed, focus moves to the list instead of the top of the page. */
export function useFocusFallback(): RefCallback<HTMLElement> {
  const refuge = use(FocusRefuge)
  return useCallback(
    (row: HTMLElement) => () => {
      if (row.contains(document.activeElement)) refuge.current?.focus({ preventScroll: true })
    },
    [refuge],
  )
}
