import { useEffect, useState } from 'react'

/** Milliseconds. */
const interval = 200
/** In px: what stands higher than this is no foot. */
const reach = 160

/**
 * How much of the window's bottom the buttons there take: the bar of a page, of a dialog or of the selected patients (`footer`, `data-foot`),
 * in px. Looked at while `isOn`.
 */
export function useFoot(isOn: boolean): number {
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
