import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { type Booking, type BookingKind, patientName, useBookingCache } from './bookings.ts'
import type { Names } from '../names.ts'
import { formatRefusal, refusalOf } from '../refusal.ts'

export interface StatusOptions<Data extends Booking, Input> {
  send: (booking: Data, status: Data['status'], given: Input | undefined) => Promise<Data>
  labels: Record<Data['status'], string>
  /** The success toast. */
  messageOf: (patient: string, status: Data['status']) => string
  /** The status changes that undo a change, in order; null if it cannot be undone. */
  undoSteps: (from: Data['status'], to: Data['status']) => Data['status'][] | null
  /** Extra input for the undo. */
  undoInput?: (before: Data) => Input
  /** Advice added to an overlap error. */
  overlapAdvice?: string
}

/** Changes the status of a booking, with Undo. A refusal shows a toast. */
export function useStatus<Data extends Booking, Input>(kind: BookingKind<Data>, names: Names, options: StatusOptions<Data, Input>) {
  const { labels, undoSteps, undoInput, overlapAdvice } = options
  const clock = useClock()
  const { put, refresh } = useBookingCache(kind)
  const [isBusy, setBusy] = useState(false)

  /** Returns the changed booking; null if it was refused. */
  async function send(booking: Data, steps: readonly Data['status'][], given: Input | undefined): Promise<Data | null> {
    let after = booking
    try {
      for (const status of steps) {
        // Each step needs the version returned by the previous one.
        after = await options.send(after, status, given)
        put(after)
      }
      return after
    } catch (error) {
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error('Nothing was changed', `Someone has changed this ${kind.noun} in the meantime. The latest version is shown.`)
      } else {
        const reason = formatRefusal(refusal, kind.slotOf(booking), names, clock.timeZone)
        const failed = `${patientName(booking)}: still ${labels[after.status as Data['status']].toLowerCase()}`
        toast.error(failed, refusal.kind === 'overlap' && overlapAdvice ? `${reason} ${overlapAdvice}` : reason)
      }
      return null
    } finally {
      refresh()
    }
  }

  /** Returns whether the change succeeded. */
  async function set(booking: Data, status: Data['status'], given?: Input): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    const after = await send(booking, [status], given)
    setBusy(false)
    if (!after) return false
    const undo = undoSteps(status, booking.status)
    const message = options.messageOf(patientName(after), status)
    if (undo) toast.undoable(message, () => void send(after, undo, undoInput?.(booking)).then((one) => one && toast.success('Undone')))
    else toast.success(message)
    return true
  }

  return { set, isBusy }
}
