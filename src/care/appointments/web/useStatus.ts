import { useState } from 'react'
import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { asSentence } from '../../../shared/sentence.ts'
import { toast } from '../../../ui/toast.ts'
import { type AppointmentStatus, mayFollow } from '../rules.ts'
import { type AppointmentData, patientName } from './appointment-data.ts'
import type { Names } from '../../calendar/web/embed/names.ts'
import { formatOverlap } from '../../calendar/web/embed/refusal.ts'
import { refusalOf } from './refusals.ts'
import { useAppointmentCache } from './useAppointmentCache.ts'
import { statusLabels } from './labels.ts'

const done: Record<AppointmentStatus, string> = {
  booked: 'is booked again',
  confirmed: 'is confirmed',
  arrived: 'has arrived',
  completed: 'is completed',
  no_show: 'did not come. There is a task to book again',
  cancelled: 'is cancelled. There is a task to book again',
}

/** The way back to what an appointment was: at once, or by way of booked. */
const wayBack = (from: AppointmentStatus, to: AppointmentStatus): AppointmentStatus[] => (mayFollow(from, to) ? [to] : ['booked', to])

/** What becomes of an appointment, with Undo. What is refused is said. */
export function useStatus(names: Names) {
  const clock = useClock()
  const { put, refresh } = useAppointmentCache()
  const [isBusy, setBusy] = useState(false)

  /** Answers the appointment as it is then; null when that was refused. */
  async function send(
    appointment: AppointmentData,
    steps: readonly AppointmentStatus[],
    given: { reason?: string; tellsPatient?: boolean } = {},
  ): Promise<AppointmentData | null> {
    let after = appointment
    try {
      for (const status of steps) {
        // Each step needs the version that the one before made.
        after = await client.appointments.setStatus({ id: after.id, version: after.version, status, ...given })
        put(after)
      }
      return after
    } catch (error) {
      const refusal = refusalOf(error)
      const failed = `${patientName(appointment)}: still ${statusLabels[after.status].toLowerCase()}`
      if (refusal.kind === 'overlap') toast.error(failed, asSentence(formatOverlap(refusal.overlap, appointment, names, clock.timeZone)))
      else if (refusal.kind === 'conflict') {
        put(refusal.current)
        toast.error('Nothing was changed', 'Someone has changed this appointment in the meantime. It shows what it is now.')
      } else if (refusal.kind === 'message') toast.error(failed, refusal.message)
      else toast.error(failed, refusal.kind === 'fields' ? Object.values(refusal.fields).join('. ') : undefined)
      return null
    } finally {
      refresh()
    }
  }

  /** Answers whether it was done. */
  async function set(
    appointment: AppointmentData,
    status: AppointmentStatus,
    given?: { reason: string; tellsPatient: boolean },
  ): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    const after = await send(appointment, [status], given)
    setBusy(false)
    if (!after) return false
    // Anyone who takes a cancellation back says so by booking it again.
    if (appointment.status === 'cancelled') toast.success(`${patientName(after)} ${done[status]}`)
    else
      toast.undoable(`${patientName(after)} ${done[status]}`, () => {
        void send(after, wayBack(status, appointment.status), { tellsPatient: appointment.tellsPatient }).then(
          (back) => back && toast.success('Undone'),
        )
      })
    return true
  }

  return { set, isBusy }
}
