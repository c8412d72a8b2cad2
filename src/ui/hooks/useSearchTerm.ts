import { useEffect, useRef, useState } from 'react'
import { useDebounced } from './useDebounced.ts'

/** Spec 9. */
const searchDebounce = 300

/**
 * The typed search term next to the one in the address: the address follows after a pause, and the field follows external changes (the
 * back button, 'Clear filters').
 */
export function useSearchTerm(inAddress: string, setAddress: (term: string) => void): [term: string, setTerm: (term: string) => void] {
  const [term, setTerm] = useState(inAddress)
  const debounced = useDebounced(term, searchDebounce).trim()
  const known = useRef(inAddress)
  const send = useRef(setAddress)
  useEffect(() => {
    send.current = setAddress
  })

  useEffect(() => {
    if (debounced === known.current) return
    known.current = debounced
    send.current(debounced)
  }, [debounced])

  useEffect(() => {
    if (inAddress === known.current) return
    known.current = inAddress
    setTerm(inAddress)
  }, [inAddress])

  return [term, setTerm]
}
