import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { type Booking, type BookingKind, patientName, useBookingCache } from './bookings.ts'
import type { Names } from '../names.ts'
import { formatRefusal, refusalOf } from '../refusal.ts'

export interface StatusOptions<Data extends Booking, Given> {
  send: (booking: Data, status: Data['status'], given: Given | undefined) => Promise<Data>
  labels: Record<Data['status'], string>
  /** The toast. */
  messageOf: (patient: string, status: Data['status']) => string
  /** From a status back to what it was before, a step at a time; null: no way back is offered. */
  wayBack: (from: Data['status'], to: Data['status']) => Data['status'][] | null
  /** What goes with the way back. */
  givenBack?: (before: Data) => Given
  /** Where something is in the way. */
  advice?: string
}

/** Sets the status of a booking, with Undo. A refusal becomes a toast. */
export function useStatus<Data extends Booking, Given>(kind: BookingKind<Data>, names: Names, options: StatusOptions<Data, Given>) {
  const { labels, wayBack, givenBack, advice } = options
  const clock = useClock()
  const { put, refresh } = useBookingCache(kind)
  const [isBusy, setBusy] = useState(false)

  /** Answers the booking as it is then; null when that was refused. */
  async function send(booking: Data, steps: readonly Data['status'][], given: Given | undefined): Promise<Data | null> {
    let after = booking
    try {
      for (const status of steps) {
        // Each step needs the version that the one before made.
        after = await options.send(after, status, given)
        put(after)
      }
      return after
    } catch (error) {
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error('Nothing was changed', `Someone has changed this ${kind.noun} in the meantime. It shows what it is now.`)
      } else {
        const why = formatRefusal(refusal, kind.placeOf(booking), names, clock.timeZone)
        const failed = `${patientName(booking)}: still ${labels[after.status as Data['status']].toLowerCase()}`
        toast.error(failed, refusal.kind === 'overlap' && advice ? `${why} ${advice}` : why)
      }
      return null
    } finally {
      refresh()
    }
  }

  /** Answers whether it was done. */
  async function set(booking: Data, status: Data['status'], given?: Given): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    const after = await send(booking, [status], given)
    setBusy(false)
    if (!after) return false
    const back = wayBack(status, booking.status)
    const message = options.messageOf(patientName(after), status)
    if (back) toast.undoable(message, () => void send(after, back, givenBack?.(booking)).then((one) => one && toast.success('Undone')))
    else toast.success(message)
    return true
  }

  return { set, isBusy }
}
