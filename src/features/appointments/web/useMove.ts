import { useState } from 'react'
import { client } from '../../../web/api.ts'
import { useClock } from '../../../web/session.ts'
import { formatDateTime } from '../../../web/ui/format.ts'
import { asSentence } from '../../../shared/sentence.ts'
import { toast } from '../../../web/ui/toast.ts'
import { lengthOf } from '../../calendar/web/embed/entry.ts'
import type { Names } from '../../calendar/web/embed/names.ts'
import { overlapInWords } from '../../calendar/web/embed/refusal.ts'
import { lengthInWords } from '../../calendar/web/embed/times.ts'
import { type AppointmentData, patientName } from './appointment-data.ts'
import { refusalOf } from './refusals.ts'
import { useAppointmentCache } from './useAppointmentCache.ts'

/** Where and when an appointment takes place. */
export type Spot = Pick<AppointmentData, 'startsAt' | 'endsAt' | 'providerId' | 'roomId'>

/** A move that the practice's hours are against. */
interface Asked {
  appointment: AppointmentData
  spot: Spot
}

const spotOf = ({ startsAt, endsAt, providerId, roomId }: AppointmentData): Spot => ({ startsAt, endsAt, providerId, roomId })

/** Moves an appointment at once, with Undo. What is refused is put back, and said. */
export function useMove(names: Names) {
  const clock = useClock()
  const { show, put, refresh } = useAppointmentCache()
  const [asked, setAsked] = useState<Asked | null>(null)

  async function send(appointment: AppointmentData, spot: Spot, outsideHours: boolean, done: (after: AppointmentData) => void) {
    const before = spotOf(appointment)
    show(appointment.id, spot)
    try {
      const { startsAt, providerId, roomId } = spot
      const { id, version } = appointment
      const after = await client.appointments.change({ id, version, startsAt, providerId, roomId, minutes: lengthOf(spot), outsideHours })
      put(after)
      done(after)
    } catch (error) {
      show(appointment.id, before)
      const refusal = refusalOf(error)
      const failed = `${patientName(appointment)} was not moved`
      if (refusal.kind === 'outside-hours') setAsked({ appointment, spot })
      else if (refusal.kind === 'overlap') toast.error(failed, asSentence(overlapInWords(refusal.overlap, spot, names, clock.timeZone)))
      else if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error(failed, 'Somebody has changed this appointment meanwhile. It stands where they put it.')
      } else toast.error(failed, refusal.kind === 'fields' ? Object.values(refusal.fields).join('. ') : refusal.message)
    }
    refresh()
  }

  /** Goes back to where it was, also where that was outside the hours. */
  const undo = (after: AppointmentData, spot: Spot) =>
    void send(after, spot, true, () => toast.success(`${patientName(after)} is back at ${formatDateTime(spot.startsAt, clock)}`))

  const move = (appointment: AppointmentData, spot: Spot, outsideHours = false) =>
    void send(appointment, spot, outsideHours, (after) => {
      const said =
        appointment.startsAt === after.startsAt && appointment.endsAt !== after.endsAt
          ? `${patientName(after)} takes ${lengthInWords(lengthOf(after))} now`
          : `${patientName(after)} moved to ${formatDateTime(after.startsAt, clock)}${after.tellsPatient ? ', and is told by email' : ''}`
      toast.undoable(said, () => undo(after, spotOf(appointment)))
    })

  return {
    move,
    /** What is to be asked before it is moved after all; null when nothing is. */
    asked: asked && {
      ...asked,
      insist: () => {
        setAsked(null)
        move(asked.appointment, asked.spot, true)
      },
      letGo: () => setAsked(null),
    },
  }
}
