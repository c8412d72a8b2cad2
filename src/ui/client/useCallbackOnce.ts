import { useEffect, useEffectEvent, useState } from 'react'
import { type Callback, takeCallback } from './callback.ts'

/**
 * Hands what a provider sent a person back with to `finish`, once. Answers what it was: `refused`, where the provider has said no; `none`, where
 * nothing was sent, as after a reload; null until it is known.
 */
export function useCallbackOnce(finish: (sent: Exclude<Callback, { error: string }>) => void): 'sent' | 'refused' | 'none' | null {
  const [returned, setReturned] = useState<'sent' | 'refused' | 'none' | null>(null)
  const hand = useEffectEvent(finish)
  useEffect(() => {
    const taken = takeCallback()
    if (taken && !('error' in taken)) hand(taken)
    setReturned((before) => (taken === null ? (before ?? 'none') : 'error' in taken ? 'refused' : 'sent'))
  }, [])
  return returned
}
