import { useEffect, useRef } from 'react'

/**
 * For a form's `ref`: the first wrong field takes the focus as it is drawn as wrong, each time that `tries` has grown.
 * @param what besides a wrong field takes it, as a selector: a question that has to be answered first.
 */
export function useProblemFocus<Element extends HTMLElement = HTMLFormElement>(tries: number, what?: string) {
  const form = useRef<Element>(null)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>(['[aria-invalid="true"]', what].filter(Boolean).join(', '))?.focus()
  }, [tries, what])
  return form
}
