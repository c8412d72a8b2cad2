import { useRef } from 'react'

const kept = 5
/** What had the focus, the latest last. Menus are left out: an item chosen there opens a dialog, but is gone when the dialog closes. */
const recent: HTMLElement[] = []
function remember(target: EventTarget | null) {
  if (!(target instanceof HTMLElement) || target.closest('[role="menu"], [role="listbox"]')) return
  recent.push(target)
  if (recent.length > kept) recent.shift()
}
document.addEventListener('focusin', ({ target }) => remember(target))
// This module is loaded with the first layer, when the opener already has the focus.
remember(document.activeElement)

/** Gives the focus back to what opened a layer, unless it went somewhere else on purpose: for layers that no trigger of theirs opens. */
export function useFocusBack() {
  const openers = useRef<readonly HTMLElement[]>([])
  return {
    /** As it opens. One of its own fields may have taken the focus already. */
    begin(content: EventTarget | null) {
      openers.current = recent.filter((element) => !(content instanceof Node && content.contains(element)))
    },
    /** As it has closed. `event` is the layer's own, which only knows about a trigger. Elements that are no longer on the page are skipped. */
    end(event: Event) {
      if (event.defaultPrevented) return
      event.preventDefault()
      const now = document.activeElement
      if (now === null || now === document.body) openers.current.findLast(({ isConnected }) => isConnected)?.focus()
    },
  }
}
