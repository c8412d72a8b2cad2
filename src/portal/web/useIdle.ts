import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { idleLimit } from '../rules.ts'

/** Milliseconds: how long before the end the patient is warned, and how long an active patient may go without a call. */
const warnAhead = 60_000
const keepAwakeAfter = 120_000
const retryAfter = 20_000
const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchmove'] as const

interface Idle {
  /** The time of the last call. The server ends the session 15 minutes after it. */
  lastCall: RefObject<number>
  /** Makes a call, which extends the session. */
  extendSession: () => Promise<void>
  onEnd: () => void
}

/**
 * Signs out after 15 minutes without activity. The server only counts calls, so the page makes one for a patient who is active without
 * calling, for example while reading a long document. Returns the seconds left in the last minute, otherwise null.
 */
export function useIdle({ lastCall, extendSession, onEnd }: Idle): number | null {
  const [left, setLeft] = useState<number | null>(null)
  const end = useEffectEvent(onEnd)
  const ask = useEffectEvent(() => void extendSession().catch(() => undefined))

  useEffect(() => {
    let lastActivity = 0
    let lastAsked = 0
    const recordActivity = () => {
      lastActivity = Date.now()
    }
    const check = () => {
      const now = Date.now()
      const remaining = lastCall.current + idleLimit - now
      if (remaining <= 0) return end()
      setLeft(remaining <= warnAhead ? Math.ceil(remaining / 1000) : null)
      const isUnavailable = lastActivity <= lastCall.current || remaining <= warnAhead
      if (isUnavailable || now - lastCall.current < keepAwakeAfter || now - lastAsked < retryAfter) return
      lastAsked = now
      ask()
    }
    const timer = setInterval(check, 1000)
    for (const eventName of activityEvents) addEventListener(eventName, recordActivity, { capture: true, passive: true })
    // Timers do not run while the device sleeps.
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      for (const eventName of activityEvents) removeEventListener(eventName, recordActivity, { capture: true })
      document.removeEventListener('visibilitychange', check)
    }
  }, [lastCall])

  return left
}
