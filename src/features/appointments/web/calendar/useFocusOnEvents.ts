import { type RefObject, useEffect, useRef } from 'react'

/** The element of an appointment on the page, that can take the focus. */
export const appointmentElement = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-appointment="${id}"]`)

/** The calendar draws each appointment anew when any has changed: the one that had the focus has it again. */
export function useFocusOnEvents(frame: RefObject<HTMLElement | null>, events: unknown): void {
  const focused = useRef<string | null>(null)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const keep = ({ target }: FocusEvent) => {
      focused.current =
        target instanceof HTMLElement ? (target.closest<HTMLElement>('[data-appointment]')?.dataset.appointment ?? null) : null
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
    if (focused.current !== null && document.activeElement === document.body)
      appointmentElement(focused.current)?.focus({ preventScroll: true })
  }, [events])
}
