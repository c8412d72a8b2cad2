/**
 * A new quote moves to its own address when it is first saved, which draws the page again. What had the focus is remembered by its name, so that
 * the page at the new address can give the focus back.
 */
let remembered: string | null = null

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** The name of the focused field or button of a form; null: the focus is elsewhere. */
export function nameOfFocus(form: HTMLFormElement | null): string | null {
  const focused = document.activeElement
  return focused && form?.contains(focused) ? nameOf(focused) || null : null
}

export function rememberFocus(name: string | null): void {
  remembered = name
}

/** The element that had the focus before, once; undefined: none had it, or it is not there. */
export function takeFocus(form: HTMLFormElement | null): HTMLElement | undefined {
  const name = remembered
  remembered = null
  if (name === null || !form) return undefined
  return [...form.querySelectorAll<HTMLElement>('button, input, textarea')].find((element) => nameOf(element) === name)
}
