import { useCallback, useState } from 'react'

export type Density = 'default' | 'compact'

const key = 'refyne.list-density'

/** The row density (two lines or one), stored in this browser. */
export function useDensity(): [density: Density, toggle: () => void] {
  const [density, setDensity] = useState<Density>(() => (localStorage.getItem(key) === 'compact' ? 'compact' : 'default'))
  const toggle = useCallback(() => {
    const next = density === 'compact' ? 'default' : 'compact'
    if (next === 'compact') localStorage.setItem(key, next)
    else localStorage.removeItem(key)
    setDensity(next)
  }, [density])
  return [density, toggle]
}
