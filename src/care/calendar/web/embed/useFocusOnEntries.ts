import { type RefObject, useEffect, useRef } from 'react'

/** The element of an entry on the page, in a calendar or a list, that can take the focus. */
export const entryElement = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-entry="${id}"]`)

/** The calendar draws each entry again when any has changed: the one that had the focus has it again. */
export function useFocusOnEntries(frame: RefObject<HTMLElement | null>, events: unknown): void {
  const focused = useRef<string | null>(null)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const keep = ({ target }: FocusEvent) => {
      focused.current = target instanceof HTMLElement ? (target.closest<HTMLElement>('[data-entry]')?.dataset.entry ?? null) : null
    }
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) focused.current = null
    }
    const press = () => {
      focused.current = null
    }
    element.addEventListener('focusin', keep)
    element.addEventListener('focusout', leave)
    document.addEventListener('pointerdown', press, { capture: true })
    return () => {
      element.removeEventListener('focusin', keep)
      element.removeEventListener('focusout', leave)
      document.removeEventListener('pointerdown', press, { capture: true })
    }
  }, [frame])
  useEffect(() => {
    if (focused.current !== null && document.activeElement === document.body) entryElement(focused.current)?.focus({ preventScroll: true })
  }, [events])
}
