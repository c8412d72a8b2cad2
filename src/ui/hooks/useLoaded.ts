import { useEffect, useEffectEvent, useState } from 'react'

/** Code loaded on demand. On failure the page stays and can retry, unlike with React's `lazy`. */
export interface Loadable<T> {
  load: () => Promise<T>
  /** Loaded code. */
  known: () => T | null
  /** Preloads it; a failure shows when it is used. */
  prepare: () => void
}

export function loadable<T>(fetchCode: () => Promise<T>): Loadable<T> {
  let known: T | null = null
  async function load() {
    // Browsers do not retry a failed import until the page is reloaded.
    if (!known && !navigator.onLine) throw new Error('The browser is offline')
    known ??= await fetchCode()
    return known
  }
  return { load, known: () => known, prepare: () => void load().catch(() => undefined) }
}

/** The code, or null until loaded. `onFail` is called on failure; the page stays usable. */
export function useLoaded<T extends object>(code: Loadable<T>, onFail?: () => void): T | null {
  const [loaded, setLoaded] = useState(code.known)
  const fail = useEffectEvent(() => onFail?.())
  useEffect(() => {
    if (loaded) return
    let isHere = true
    code.load().then(
      (came) => isHere && setLoaded(came),
      () => isHere && fail(),
    )
    return () => {
      isHere = false
    }
  }, [code, loaded])
  return loaded
}
