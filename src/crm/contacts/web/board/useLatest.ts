import { useEffect, useRef } from 'react'

/** What was rendered last, for a function that stays the same. */
export function useLatest<Value>(value: Value): React.RefObject<Value> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
