import { useState } from 'react'
import { whenIdle } from '../client/when-idle.ts'
import { type Loadable, loadable, useLoaded } from '../hooks/useLoaded.ts'

type Drawings = typeof import('./recharts.tsx')

/** Figures, legends and tables come first: the drawing code is loaded when the browser is idle. */
const code: Loadable<Drawings> = loadable(async () => {
  await new Promise<void>(whenIdle)
  return import('./recharts.tsx')
})

/** Loads the drawing code while the figures load. */
export const prepareCharts = code.prepare

/** The drawing code, null until loaded. `isMissing`: it failed to load, and the page works without it. */
export function useRecharts(): { drawings: Drawings | null; isMissing: boolean } {
  const [isMissing, setMissing] = useState(false)
  const drawings = useLoaded(code, () => setMissing(true))
  return { drawings, isMissing }
}
