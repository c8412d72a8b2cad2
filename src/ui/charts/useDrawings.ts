import { useState } from 'react'
import { whenIdle } from '../client/when-idle.ts'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'

type Drawings = typeof import('./drawings.tsx')

/** Figures, legends and tables come first: what draws is fetched when the browser has nothing better to do. */
const code: Loadable<Drawings> = loadable(async () => {
  await new Promise<void>(whenIdle)
  return import('./drawings.tsx')
})

/** Fetches what draws the charts while their figures are on their way. */
export const prepareCharts = code.prepare

/** What draws the charts, null until it has come. `isMissing`: it did not, and the page stands without. */
export function useDrawings(): { drawings: Drawings | null; isMissing: boolean } {
  const [isMissing, setMissing] = useState(false)
  const drawings = useLoaded(code, () => setMissing(true))
  return { drawings, isMissing }
}
