/**
 * A new quote moves to its own URL on the first save, which remounts the page. The focused element is remembered by name, so that
 * the page at the new URL can restore the focus.
 */
let remembered: string | null = null

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** The name of the focused field or button of a form; null: the focus is elsewhere. */
export function focusedName(form: HTMLFormElement | null): string | null {
  const focused = document.activeElement
  return focused && form?.contains(focused) ? nameOf(focused) || null : null
}

export function rememberFocus(name: string | null): void {
  remembered = name
}

/** The previously focused element, once; undefined: none, or it no longer exists. */
export function takeFocus(form: HTMLFormElement | null): HTMLElement | undefined {
  const name = remembered
  remembered = null
  if (name === null || !form) return undefined
  return [...form.querySelectorAll<HTMLElement>('button, input, textarea')].find((element) => nameOf(element) === name)
}
