import { useEffect, useEffectEvent, useState } from 'react'
import { type Callback, consumeCallback } from './callback.ts'

/**
 * Passes the parameters of an OAuth callback to `finish`, once. Returns the state: `refused` if the provider refused; `none` without
 * parameters, as after a reload; null until known.
 */
export function useCallbackOnce(finish: (sent: Exclude<Callback, { error: string }>) => void): 'sent' | 'refused' | 'none' | null {
  const [returned, setReturned] = useState<'sent' | 'refused' | 'none' | null>(null)
  const hand = useEffectEvent(finish)
  useEffect(() => {
    const taken = consumeCallback()
    if (taken && !('error' in taken)) hand(taken)
    setReturned((before) => (taken === null ? (before ?? 'none') : 'error' in taken ? 'refused' : 'sent'))
  }, [])
  return returned
}
