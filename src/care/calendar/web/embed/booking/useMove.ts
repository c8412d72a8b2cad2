import { useState } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { type Booking, type BookingKind, patientName, useBookingCache } from './bookings.ts'
import { formatMoved, type Placed } from './moved-labels.ts'
import { type Names, providerName, roomName } from '../names.ts'
import { formatRefusal, refusalOf } from '../refusal.ts'

/** `before`: it goes back to where that was, also where that was outside the hours. */
interface How<Data> {
  outsideHours: boolean
  before?: Data
}

interface Options<Data> {
  send: (booking: Data, place: Placed, how: How<Data>) => Promise<Data>
  /** What is said besides of one that was moved. */
  also?: (before: Data, after: Data) => string
}

/** Moves a booking at once, with Undo. What is refused is put back, and said. */
export function useMove<Data extends Booking>(kind: BookingKind<Data>, names: Names, { send, also }: Options<Data>) {
  const clock = useClock()
  const { show, put, refresh } = useBookingCache(kind)
  const [asked, setAsked] = useState<{ booking: Data; place: Placed } | null>(null)

  async function go(booking: Data, place: Placed, how: How<Data>, done: (after: Data) => void) {
    show(booking.id, kind.fieldsOf(place))
    try {
      const after = await send(booking, place, how)
      put(after)
      done(after)
    } catch (error) {
      show(booking.id, kind.fieldsOf(kind.placeOf(booking)))
      const refusal = refusalOf<Data>(error, kind.noun)
      if (refusal.kind === 'conflict') put(refusal.current)
      if (refusal.kind === 'outside-hours') setAsked({ booking, place })
      else {
        const conflict = `Someone has changed this ${kind.noun} in the meantime. It stands where they put it.`
        toast.error(`${patientName(booking)} was not moved`, formatRefusal(refusal, place, names, clock.timeZone) ?? conflict)
      }
    }
    refresh()
  }

  const move = (booking: Data, place: Placed, outsideHours = false) =>
    void go(booking, place, { outsideHours }, (after) => {
      const [was, is] = [kind.placeOf(booking), kind.placeOf(after)]
      const moved = formatMoved(was, is, providerName(is.providerId, names), roomName(is.roomId, names), clock)
      toast.undoable(
        `${patientName(after)} ${moved}${also?.(booking, after) ?? ''}`,
        () =>
          void go(after, was, { outsideHours: true, before: booking }, (back) =>
            toast.success(`${patientName(back)} is back at ${formatDateTime(was.startsAt, clock)}`),
          ),
      )
    })

  return {
    move,
    /** What is to be asked before it is moved after all, as the practice is closed then; null when nothing is. */
    asked: asked && {
      ...asked,
      insist: () => {
        setAsked(null)
        move(asked.booking, asked.place, true)
      },
      letGo: () => setAsked(null),
    },
  }
}
