import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { idleLimit } from '../rules.ts'

/** Milliseconds: when the patient is warned, and how long the server may go without hearing from one who is at the page. */
const warnAhead = 60_000
const keepAwakeAfter = 120_000
const retryAfter = 20_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchmove'] as const

interface Idle {
  /** When the server was last asked: it ends the session a quarter of an hour later. */
  lastCall: RefObject<number>
  /** Asks the server for something. */
  keepAwake: () => Promise<void>
  onEnd: () => void
}

/**
 * Spec product: signed out after 15 minutes without activity. The server counts what it is asked; someone who reads a long document asks
 * nothing, so the page asks for them. Returns the seconds that are left in the last minute, else null.
 */
export function useIdle({ lastCall, keepAwake, onEnd }: Idle): number | null {
  const [left, setLeft] = useState<number | null>(null)
  const end = useEffectEvent(onEnd)
  const ask = useEffectEvent(() => void keepAwake().catch(() => undefined))

  useEffect(() => {
    let lastSign = 0
    let lastAsked = 0
    const note = () => {
      lastSign = Date.now()
    }
    const look = () => {
      const now = Date.now()
      const rest = lastCall.current + idleLimit - now
      if (rest <= 0) return end()
      setLeft(rest <= warnAhead ? Math.ceil(rest / 1000) : null)
      const isUnavailable = lastSign <= lastCall.current || rest <= warnAhead
      if (isUnavailable || now - lastCall.current < keepAwakeAfter || now - lastAsked < retryAfter) return
      lastAsked = now
      ask()
    }
    const timer = setInterval(look, 1000)
    for (const sign of signs) addEventListener(sign, note, { capture: true, passive: true })
    // A device that slept has counted nothing.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const sign of signs) removeEventListener(sign, note, { capture: true })
      document.removeEventListener('visibilitychange', look)
    }
  }, [lastCall])

  return left
}
