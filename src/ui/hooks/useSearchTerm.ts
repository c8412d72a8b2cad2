import { useEffect, useRef, useState } from 'react'
import { useSettled } from './useSettled.ts'

/** Spec 9. */
const searchDebounce = 300

/**
 * What is typed, beside what the address says: the address follows once the typing settles, and the field follows the address when something
 * else changed it (the back button, 'Clear filters').
 */
export function useSearchTerm(inAddress: string, setAddress: (term: string) => void): [term: string, setTerm: (term: string) => void] {
  const [term, setTerm] = useState(inAddress)
  const settled = useSettled(term, searchDebounce).trim()
  const known = useRef(inAddress)
  const send = useRef(setAddress)
  useEffect(() => {
    send.current = setAddress
  })

  useEffect(() => {
    if (settled === known.current) return
    known.current = settled
    send.current(settled)
  }, [settled])

  useEffect(() => {
    if (inAddress === known.current) return
    known.current = inAddress
    setTerm(inAddress)
  }, [inAddress])

  return [term, setTerm]
}
