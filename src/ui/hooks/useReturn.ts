import { useEffect, useEffectEvent } from 'react'

/** Reports that the user is back on this page, from another tab or program: what it shows may have changed. */
export function useReturn(onReturn: () => void): void {
  const back = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onReturn()
  })
  useEffect(() => {
    const report = () => back()
    document.addEventListener('visibilitychange', report)
    addEventListener('focus', report)
    return () => {
      document.removeEventListener('visibilitychange', report)
      removeEventListener('focus', report)
    }
  }, [])
}
