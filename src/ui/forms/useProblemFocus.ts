import { useEffect, useEffectEvent, useRef } from 'react'
import type { FormState } from './useActionForm.ts'

type State = Pick<FormState, 'tries'> & Partial<Pick<FormState, 'problems' | 'showWhole'>>

/**
 * For a form's `ref`: focuses the first invalid field once rendered as invalid, whenever `tries` has grown. If the form renders none of
 * the problems, the first is shown for the whole form.
 * @param what selector of anything else to focus: a question to answer first
 */
export function useProblemFocus<Element extends HTMLElement = HTMLFormElement>({ tries, problems = {}, showWhole }: State, what?: string) {
  const form = useRef<Element>(null)
  const showUndrawn = useEffectEvent(() => {
    const messages = Object.values(problems)
    const isRendered = (message: string) => form.current?.textContent.includes(message)
    if (problems.form === undefined && messages[0] !== undefined && !messages.some(isRendered)) showWhole?.(messages[0])
  })
  useEffect(() => {
    if (tries === 0) return
    form.current?.querySelector<HTMLElement>(['[aria-invalid="true"]', what].filter(Boolean).join(', '))?.focus()
    showUndrawn()
  }, [tries, what])
  return form
}
