import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../web/ui/hotkeys.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { appointmentElement } from '../calendar/useFocusOnEvents.ts'

interface Options {
  appointments: readonly AppointmentData[]
  onStep: (by: 1 | -1) => void
  onToday: () => void
  /** Absent for whoever may not. */
  onBook: (() => void) | undefined
  onMove: ((id: string) => void) | undefined
}

/** The calendar's keys: days, and from one appointment to the next. Enter opens the one in hand. */
export function useCalendarKeys(options: Options): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const hotkeys = useMemo<Hotkey[]>(() => {
    const inHand = () => document.activeElement?.closest<HTMLElement>('[data-appointment]')?.dataset.appointment
    const step = (by: 1 | -1) => {
      // What is out of sight, as in a full month, has no element.
      const shown = latest.current.appointments.filter(({ id }) => appointmentElement(id) !== null)
      const at = shown.findIndex(({ id }) => id === inHand())
      const next = shown[at < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, at + by))]
      const element = next && appointmentElement(next.id)
      element?.scrollIntoView({ block: 'nearest' })
      element?.focus({ preventScroll: true })
    }
    const group = 'Appointments'
    return [
      { keys: 'j', label: 'Next appointment', group, run: () => step(1) },
      { keys: 'k', label: 'Previous appointment', group, run: () => step(-1) },
      { keys: 'left', label: 'The days before', group, run: () => latest.current.onStep(-1) },
      { keys: 'right', label: 'The days after', group, run: () => latest.current.onStep(1) },
      { keys: 't', label: 'Today', group, run: () => latest.current.onToday() },
      { keys: 'b', label: 'Book appointment', group, run: () => latest.current.onBook?.() },
      {
        keys: 'm',
        label: 'Move the appointment in hand',
        group,
        run: () => {
          const id = inHand()
          if (id) latest.current.onMove?.(id)
        },
      },
    ]
  }, [])
  useHotkeys(hotkeys)
}
