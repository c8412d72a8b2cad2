import { createContext, type RefCallback, type RefObject, use, useCallback } from 'react'

/** What has the focus when the row that had it goes. */
export const FocusRefuge = createContext<RefObject<HTMLElement | null>>({ current: null })

/** The ref of a row: when it goes while it has the focus, the focus goes to the list and not to the top of the page. */
export function useKeptFocus(): RefCallback<HTMLElement> {
  const refuge = use(FocusRefuge)
  return useCallback(
    (row: HTMLElement) => () => {
      if (row.contains(document.activeElement)) refuge.current?.focus({ preventScroll: true })
    },
    [refuge],
  )
}
