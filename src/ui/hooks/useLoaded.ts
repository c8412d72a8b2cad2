import { useEffect, useEffectEvent, useState } from 'react'

/** Code that comes when it is wanted. Where it did not come the page stands, and it can be asked for again, unlike with React's `lazy`. */
export interface Loadable<T> {
  load: () => Promise<T>
  /** What has come already. */
  known: () => T | null
  /** Fetches it ahead of time; a failure shows when it is wanted. */
  prepare: () => void
}

export function loadable<T>(fetchCode: () => Promise<T>): Loadable<T> {
  let known: T | null = null
  async function load() {
    // What a browser has asked for in vain it does not ask for again until the page is loaded again.
    if (!known && !navigator.onLine) throw new Error('The browser is offline')
    known ??= await fetchCode()
    return known
  }
  return { load, known: () => known, prepare: () => void load().catch(() => undefined) }
}

/** The code, or null until it is there. `onFail` is called when it does not come; the page stands whatever happens. */
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
