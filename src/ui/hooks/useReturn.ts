import { useEffect, useEffectEvent } from 'react'

/** A tab that is shown again gets the focus, too. */
const onceInMs = 1_000

/** Reports that the user is back on this page, from another tab or program: what it shows may have changed. */
export function useReturn(onReturn: () => void): void {
  const back = useEffectEvent(onReturn)
  useEffect(() => {
    let last = 0
    const report = () => {
      if (document.visibilityState !== 'visible' || Date.now() - last < onceInMs) return
      last = Date.now()
      back()
    }
    document.addEventListener('visibilitychange', report)
    addEventListener('focus', report)
    return () => {
      document.removeEventListener('visibilitychange', report)
      removeEventListener('focus', report)
    }
  }, [])
}
