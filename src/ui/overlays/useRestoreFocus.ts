import { useRef } from 'react'

const kept = 5
/**
 * Recently focused elements, newest last. Menu items are left out: an item that opens a dialog is gone when the dialog closes. So is the body, which
 * has the focus when nothing else has it.
 */
const recent: HTMLElement[] = []
function remember(target: EventTarget | null) {
  if (!(target instanceof HTMLElement) || target === document.body || target.closest('[role="menu"], [role="listbox"]')) return
  recent.push(target)
  if (recent.length > kept) recent.shift()
}
document.addEventListener('focusin', ({ target }) => remember(target))
// This module loads with the first layer, when the opener already has the focus.
remember(document.activeElement)

/** Returns the focus to what opened a layer, unless it was moved on purpose: for layers without a trigger of their own. */
export function useRestoreFocus() {
  const openers = useRef<readonly HTMLElement[]>([])
  return {
    /** On opening. One of the layer's fields may already have the focus. */
    begin(content: EventTarget | null) {
      openers.current = recent.filter((element) => !(content instanceof Node && content.contains(element)))
    },
    /** On closing. `event` is the layer's own, which only knows a trigger. Removed and disabled elements are skipped. */
    end(event: Event) {
      if (event.defaultPrevented) return
      event.preventDefault()
      const now = document.activeElement
      if (now !== null && now !== document.body) return
      const opener = openers.current.findLast((element) => element.isConnected && !element.matches(':disabled'))
      // Without one the page has changed: it is read from its start.
      ;(opener ?? document.querySelector<HTMLElement>('main'))?.focus()
    },
  }
}
