import { useEffect, useEffectEvent } from 'react'

/** Milliseconds in sight after which something counts as looked at. */
const longEnough = 1000
/** Of something that is higher than the page, so many px in sight are enough. */
const highEnough = 120

/** Says once that an element was in sight for a second, in a tab that can be seen. */
export function useSeen(element: HTMLElement | null, isWanted: boolean, onSeen: () => void): void {
  const seen = useEffectEvent(onSeen)
  useEffect(() => {
    if (!element || !isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let visiblePage = false
    const look = () => {
      clearTimeout(timer)
      timer = visiblePage && !document.hidden ? setTimeout(() => seen(), longEnough) : undefined
    }
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)
        visiblePage = last !== undefined && (last.intersectionRatio >= 0.5 || last.intersectionRect.height >= highEnough)
        look()
      },
      { threshold: [0, 0.1, 0.25, 0.5, 0.75] },
    )
    observer.observe(element)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  }, [element, isWanted])
}
