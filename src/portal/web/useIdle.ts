import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { idleLimit } from '../rules.ts'

/** Milliseconds: the end after the last call, how long before it the patient is warned, and how long an active patient may go without a call. */
interface IdleTimes {
  limit: number
  warnAhead: number
  keepAwakeAfter: number
}
const portalTimes: IdleTimes = { limit: idleLimit, warnAhead: 60_000, keepAwakeAfter: 120_000 }
const retryAfter = 20_000
const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchmove'] as const

interface Idle {
  /** The time of the last call. The server ends the session 15 minutes after it. */
  lastCall: RefObject<number>
  /** Makes a call, which extends the session. */
  extendSession: () => Promise<void>
  onEnd: () => void
  /** Those of the portal unless stated. */
  times?: IdleTimes
}

/**
 * Signs out after 15 minutes without activity, or as `times` says. The server only counts calls, so the page makes one for a patient who is active without
 * calling, for example while reading a long document. Returns the seconds left once the patient is warned, otherwise null.
 */
export function useIdle({ lastCall, extendSession, onEnd, times = portalTimes }: Idle): number | null {
  const { limit, warnAhead, keepAwakeAfter } = times
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
      const remaining = lastCall.current + limit - now
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
  }, [lastCall, limit, warnAhead, keepAwakeAfter])

  return left
}
