import { useEffect, useState } from 'react'

/** Milliseconds. */
const interval = 200
/** In px: higher elements do not count as a footer. */
const reach = 160

/**
 * Height of the buttons at the window's bottom: the bar of a page, a dialog or the selected patients (`footer`, `data-foot`), in px.
 * Measured while `isOn`.
 */
export function useFooterHeight(isOn: boolean): number {
  const [foot, setFoot] = useState(0)
  useEffect(() => {
    if (!isOn) return
    const measure = () => setFoot(footHeight())
    measure()
    const timer = setInterval(measure, interval)
    return () => clearInterval(timer)
  }, [isOn])
  return foot
}

function footHeight(): number {
  const boxes = [...document.querySelectorAll('footer, [data-foot]')].map((element) => element.getBoundingClientRect())
  return Math.max(
    0,
    ...boxes.filter(({ height, bottom }) => height > 0 && bottom > innerHeight - reach).map(({ top }) => innerHeight - top),
  )
}
