import { useEffect, useEffectEvent, useRef } from 'react'
import type { FormState } from './useActionForm.ts'

type State = Pick<FormState, 'tries'> & Partial<Pick<FormState, 'problems' | 'showWhole'>>

/**
 * For a form's `ref`: the first wrong field takes the focus as it is drawn as wrong, each time that `tries` has grown. Where the form draws none
 * of the problems, the first is shown as one of the whole.
 * @param what besides a wrong field takes the focus, as a selector: a question that has to be answered first.
 */
export function useProblemFocus<Element extends HTMLElement = HTMLFormElement>({ tries, problems = {}, showWhole }: State, what?: string) {
  const form = useRef<Element>(null)
  const showUndrawn = useEffectEvent(() => {
    const messages = Object.values(problems)
    const isDrawn = (message: string) => form.current?.textContent.includes(message)
    if (problems.form === undefined && messages[0] !== undefined && !messages.some(isDrawn)) showWhole?.(messages[0])
  })
  useEffect(() => {
    if (tries === 0) return
    form.current?.querySelector<HTMLElement>(['[aria-invalid="true"]', what].filter(Boolean).join(', '))?.focus()
    showUndrawn()
  }, [tries, what])
  return form
}
