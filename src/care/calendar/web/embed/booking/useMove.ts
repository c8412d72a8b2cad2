import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { type Booking, type BookingKind, patientName, useBookingCache } from './bookings.ts'
import { formatMoved, type Slot } from './move-labels.ts'
import { type Names, providerName, roomName } from '../names.ts'
import { formatRefusal, refusalOf } from '../refusal.ts'

/** `before`: given to undo a move; the original slot is restored even outside practice hours. */
interface MoveOptions<Data> {
  outsideHours: boolean
  before?: Data
}

interface Options<Data> {
  send: (booking: Data, place: Slot, options: MoveOptions<Data>) => Promise<Data>
  /** Appended to the toast. */
  messageSuffix?: (before: Data, after: Data) => string
}

/** Moves a booking optimistically, with Undo. A refused move is reverted with an error toast. */
export function useMove<Data extends Booking>(kind: BookingKind<Data>, names: Names, { send, messageSuffix }: Options<Data>) {
  const clock = useClock()
  const { show, put, refresh } = useBookingCache(kind)
  const [confirmation, setConfirmation] = useState<{ booking: Data; place: Slot } | null>(null)

  async function apply(booking: Data, place: Slot, options: MoveOptions<Data>, done: (after: Data) => void) {
    show(booking.id, kind.fieldsOf(place))
    try {
      const after = await send(booking, place, options)
      put(after)
      done(after)
    } catch (error) {
      show(booking.id, kind.fieldsOf(kind.slotOf(booking)))
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'conflict') put(refusal.current)
      if (refusal.kind === 'outside-hours') setConfirmation({ booking, place })
      else {
        const conflict = `Someone has changed this ${kind.noun} in the meantime. It stays where they moved it.`
        toast.error(`${patientName(booking)} was not moved`, formatRefusal(refusal, place, names, clock.timeZone) ?? conflict)
      }
    }
    refresh()
  }

  const move = (booking: Data, place: Slot, outsideHours = false) =>
    void apply(booking, place, { outsideHours }, (after) => {
      const [slotBefore, slotAfter] = [kind.slotOf(booking), kind.slotOf(after)]
      const moved = formatMoved(slotBefore, slotAfter, providerName(slotAfter.providerId, names), roomName(slotAfter.roomId, names), clock)
      toast.undoable(
        `${patientName(after)} ${moved}${messageSuffix?.(booking, after) ?? ''}`,
        () =>
          void apply(after, slotBefore, { outsideHours: true, before: booking }, (back) =>
            toast.success(`${patientName(back)} is back at ${formatDateTime(slotBefore.startsAt, clock)}`),
          ),
      )
    })

  return {
    move,
    /** A move outside practice hours that needs confirmation, or null. */
    confirmation: confirmation && {
      ...confirmation,
      confirm: () => {
        setConfirmation(null)
        move(confirmation.booking, confirmation.place, true)
      },
      cancel: () => setConfirmation(null),
    },
  }
}
