import { useLayoutEffect, useState } from 'react'
import { type ColumnLayout, readLayout } from './layout.ts'

const key = 'refyne.list-columns'

/** The columns that the user has chosen, kept in this browser. */
export function useColumns(): [layout: ColumnLayout, setLayout: (next: ColumnLayout) => void] {
  const [layout, setLayout] = useState(() => readLayout(localStorage.getItem(key)))
  return [
    layout,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next))
      setLayout(next)
    },
  ]
}

/** How wide an element is, from before it is first seen. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return width
}
