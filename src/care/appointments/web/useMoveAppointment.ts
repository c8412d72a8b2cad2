import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { lengthOf } from '../../calendar/web/embed/grid/entry.ts'
import type { Names } from '../../calendar/web/embed/names.ts'
import { useMove } from '../../calendar/web/embed/booking/useMove.ts'
import { needsUpdate } from '../email-rules.ts'
import { type AppointmentData, appointmentKind } from './appointment-data.ts'

/**
 * The details that emails announce, without the place: the browser does not know a room's location, so it never claims that a new one is
 * announced.
 */
const notifiedDetails = ({ startsAt, providerId }: AppointmentData) => ({ startsAt: new Date(startsAt), providerId, place: '' })

/** Moves an appointment. Undoing the move of a confirmed appointment confirms it again. */
export function useMoveAppointment(names: Names) {
  const { now } = useClock()
  return useMove(appointmentKind, names, {
    async send({ id, version }, place, { outsideHours, before }) {
      const { startsAt, providerId, roomId } = place
      const after = await client.appointments.change({ id, version, startsAt, providerId, roomId, minutes: lengthOf(place), outsideHours })
      if (!before || before.status === after.status) return after
      return client.appointments.setStatus({ id, version: after.version, status: before.status })
    },
    messageSuffix(before, after) {
      const { status, notifiesPatient } = after
      return needsUpdate(new Date(now), notifiedDetails(before), { ...notifiedDetails(after), status, notifiesPatient })
        ? ', and is notified by email'
        : ''
    },
  })
}
