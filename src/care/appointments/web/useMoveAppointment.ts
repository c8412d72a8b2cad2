import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { lengthOf } from '../../calendar/web/embed/entry.ts'
import type { Names } from '../../calendar/web/embed/names.ts'
import { useMove } from '../../calendar/web/embed/booking/useMove.ts'
import { isNews } from '../mail-rules.ts'
import { type AppointmentData, appointmentKind } from './appointment-data.ts'

/** As a mail tells of it. Where its room is stands on no appointment, so that another address is not claimed to be told. */
const tellable = ({ startsAt, providerId }: AppointmentData) => ({ startsAt: new Date(startsAt), providerId, place: '' })

/** Moves an appointment. One that goes back to a time that was confirmed is confirmed again. */
export function useMoveAppointment(names: Names) {
  const { now } = useClock()
  return useMove(appointmentKind, names, {
    async send({ id, version }, place, { outsideHours, before }) {
      const { startsAt, providerId, roomId } = place
      const after = await client.appointments.change({ id, version, startsAt, providerId, roomId, minutes: lengthOf(place), outsideHours })
      if (!before || before.status === after.status) return after
      return client.appointments.setStatus({ id, version: after.version, status: before.status })
    },
    also(before, after) {
      const { status, tellsPatient } = after
      return isNews(new Date(now), tellable(before), { ...tellable(after), status, tellsPatient }) ? ', and is notified by email' : ''
    },
  })
}
