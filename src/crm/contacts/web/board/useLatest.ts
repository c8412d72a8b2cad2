import { useEffect, useRef } from 'react'

/** A ref to the value of the last render, for stable callbacks. */
export function useLatest<Value>(value: Value): React.RefObject<Value> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
