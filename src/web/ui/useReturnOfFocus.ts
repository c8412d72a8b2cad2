import { useRef, type RefObject } from 'react'

/**
 * What a layer that stands beside its trigger does with the focus: it goes back to the trigger, unless the layer was left by a click elsewhere.
 * A click on the trigger is the trigger's own affair.
 */
export function useReturnOfFocus(trigger: RefObject<HTMLElement | null>) {
  const leftByPointer = useRef(false)
  return {
    onInteractOutside(event: Event) {
      if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault()
      else leftByPointer.current = true
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (!leftByPointer.current) trigger.current?.focus()
    },
  }
}
