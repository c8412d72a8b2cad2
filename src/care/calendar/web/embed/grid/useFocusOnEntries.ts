import { type RefObject, useEffect, useRef } from 'react'

/** The focusable element of an entry in a calendar or a list. */
export const entryElement = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-entry="${id}"]`)

/** Restores the focus when the calendar renders its entries again, which it does whenever one changes. */
export function useFocusOnEntries(frame: RefObject<HTMLElement | null>, events: unknown): void {
  const focused = useRef<string | null>(null)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const remember = ({ target }: FocusEvent) => {
      focused.current = target instanceof HTMLElement ? (target.closest<HTMLElement>('[data-entry]')?.dataset.entry ?? null) : null
    }
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) focused.current = null
    }
    const clear = () => {
      focused.current = null
    }
    element.addEventListener('focusin', remember)
    element.addEventListener('focusout', forget)
    document.addEventListener('pointerdown', clear, { capture: true })
    return () => {
      element.removeEventListener('focusin', remember)
      element.removeEventListener('focusout', forget)
      document.removeEventListener('pointerdown', clear, { capture: true })
    }
  }, [frame])
  useEffect(() => {
    if (focused.current !== null && document.activeElement === document.body) entryElement(focused.current)?.focus({ preventScroll: true })
  }, [events])
}
