import { useEffect, useEffectEvent } from 'react'

/** Milliseconds in view after which something counts as seen. */
const longEnough = 1000
/** For something taller than the viewport, this many visible px are enough. */
const highEnough = 120

/** Reports once that an element was in view for a second, in a visible tab. */
export function useInView(element: HTMLElement | null, isWanted: boolean, onSeen: () => void): void {
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
