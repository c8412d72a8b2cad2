import { useState } from 'react'
import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { formatDateTime } from '../../../ui/format.ts'
import { asSentence } from '../../../shared/sentence.ts'
import { toast } from '../../../ui/toast.ts'
import { lengthOf } from '../../calendar/web/embed/entry.ts'
import { formatMoved, type Placed } from '../../calendar/web/embed/moved-labels.ts'
import { type Names, providerName, roomName } from '../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../calendar/web/embed/refusal.ts'
import { isNews } from '../mail-rules.ts'
import type { AppointmentStatus } from '../rules.ts'
import { type AppointmentData, patientName } from './appointment-data.ts'
import { refusalOf } from './refusals.ts'
import { useAppointmentCache } from './useAppointmentCache.ts'

/** A move that the practice's hours are against. */
interface Asked {
  appointment: AppointmentData
  slot: Placed
}

const slotOf = ({ startsAt, endsAt, providerId, roomId }: AppointmentData): Placed => ({ startsAt, endsAt, providerId, roomId })

/** As a mail tells of it. Where its room is stands on no appointment, so that another address is not claimed to be told. */
const tellable = ({ startsAt, providerId }: AppointmentData) => ({ startsAt: new Date(startsAt), providerId, place: '' })

/** Moves an appointment at once, with Undo. What is refused is put back, and said. */
export function useMove(names: Names) {
  const clock = useClock()
  const { show, put, refresh } = useAppointmentCache()
  const [asked, setAsked] = useState<Asked | null>(null)

  async function send(
    appointment: AppointmentData,
    slot: Placed,
    { outsideHours, status }: { outsideHours: boolean; status?: AppointmentStatus },
    done: (after: AppointmentData) => void,
  ) {
    const before = slotOf(appointment)
    show(appointment.id, slot)
    try {
      const { startsAt, providerId, roomId } = slot
      const { id, version } = appointment
      const minutes = lengthOf(slot)
      let after = await client.appointments.change({ id, version, startsAt, providerId, roomId, minutes, outsideHours })
      if (status && status !== after.status) after = await client.appointments.setStatus({ id, version: after.version, status })
      put(after)
      done(after)
    } catch (error) {
      show(appointment.id, before)
      const refusal = refusalOf(error)
      const failed = `${patientName(appointment)} was not moved`
      if (refusal.kind === 'outside-hours') setAsked({ appointment, slot })
      else if (refusal.kind === 'overlap') toast.error(failed, asSentence(formatOverlap(refusal.overlap, slot, names, clock.timeZone)))
      else if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error(failed, 'Someone has changed this appointment in the meantime. It stands where they put it.')
      } else toast.error(failed, refusal.kind === 'fields' ? Object.values(refusal.fields).join('. ') : refusal.message)
    }
    refresh()
  }

  /** Goes back to where it was, also where that was outside the hours. A time that was confirmed is so again. */
  const undo = (after: AppointmentData, before: AppointmentData) =>
    void send(after, slotOf(before), { outsideHours: true, status: before.status }, () =>
      toast.success(`${patientName(after)} is back at ${formatDateTime(before.startsAt, clock)}`),
    )

  const move = (appointment: AppointmentData, slot: Placed, outsideHours = false) =>
    void send(appointment, slot, { outsideHours }, (after) => {
      const { status, tellsPatient, providerId, roomId } = after
      const moved = formatMoved(appointment, after, providerName(providerId, names), roomName(roomId, names), clock)
      const isTold = isNews(new Date(clock.now), tellable(appointment), { ...tellable(after), status, tellsPatient })
      const said = `${patientName(after)} ${moved}${isTold ? ', and is told by email' : ''}`
      toast.undoable(said, () => undo(after, appointment))
    })

  return {
    move,
    /** What is to be asked before it is moved after all; null when nothing is. */
    asked: asked && {
      ...asked,
      insist: () => {
        setAsked(null)
        move(asked.appointment, asked.slot, true)
      },
      letGo: () => setAsked(null),
    },
  }
}
