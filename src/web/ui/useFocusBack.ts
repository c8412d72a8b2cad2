import { useRef } from 'react'

/** The element that had the focus last, menus aside: what is chosen there opens a dialog, but is gone when that closes. */
let last: HTMLElement | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="menu"], [role="listbox"]')) last = target
})

/** Gives the focus back to what opened a layer, unless it went somewhere else on purpose: for layers that no trigger of theirs opens. */
export function useFocusBack() {
  const opener = useRef<HTMLElement | null>(null)
  return {
    /** As it opens, before the focus moves into it. */
    begin() {
      opener.current = last
    },
    /** As it has closed; `event` is the layer's own, which would know of a trigger alone. */
    end(event: Event) {
      if (event.defaultPrevented) return
      event.preventDefault()
      const now = document.activeElement
      if (now === null || now === document.body) opener.current?.focus()
    },
  }
}
