import { useRef, type RefObject } from 'react'

/**
 * What a layer that stands beside its trigger does with the focus: it goes back to the trigger, or to what else has opened it, unless the layer
 * was left by a click elsewhere. A click on the trigger is the trigger's own affair.
 */
export function useReturnOfFocus(trigger: RefObject<HTMLElement | null>, opener?: RefObject<HTMLElement | null>) {
  const leftByPointer = useRef(false)
  return {
    onInteractOutside(event: Event) {
      if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault()
      else leftByPointer.current = true
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const to = opener?.current?.isConnected ? opener : trigger
      if (!leftByPointer.current) to.current?.focus()
    },
  }
}
