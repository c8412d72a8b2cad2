import { useRef, type RefObject } from 'react'

/**
 * Focus handling of a layer next to its trigger: focus returns to the trigger, or to what else opened it, unless the layer was closed by a
 * click elsewhere. Clicks on the trigger are handled by the trigger.
 */
export function useTriggerFocus(trigger: RefObject<HTMLElement | null>, opener?: RefObject<HTMLElement | null>) {
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
