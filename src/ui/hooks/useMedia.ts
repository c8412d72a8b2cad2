import { useSyncExternalStore } from 'react'

/** Whether a media query matches: where two widths need different elements, not only different styles. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

/** Spec 9: below 768 px the phone layout is used. */
export const usePhone = (): boolean => useMedia('(width < 48rem)')
