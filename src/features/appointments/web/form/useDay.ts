import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { beginningOf, daysLater } from '../../../../shared/zoned-time.ts'
import { orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { type Span, spanOn } from './day-plan.ts'

export interface TakenSpan extends Span {
  appointment: AppointmentData
}

interface Wanted {
  providerId: string | null
  roomId: string | null
}

/** What else there is on a day; `day` is '' while none is chosen. */
export function useDay(day: string, except: string | null) {
  const { timeZone } = useClock()
  const isDay = /^20\d\d-\d\d-\d\d$/.test(day)
  const from = isDay ? beginningOf(day, timeZone).toISOString() : ''
  const to = isDay ? beginningOf(daysLater(day, 1), timeZone).toISOString() : ''
  const list = useQuery(orpc.appointments.list.queryOptions({ input: { from, to }, enabled: isDay, placeholderData: keepPreviousData }))
  const taken: TakenSpan[] = (isDay && !list.isPlaceholderData ? (list.data?.data ?? []) : [])
    .filter(({ id }) => id !== except)
    .map((appointment) => ({ ...spanOn(day, appointment, timeZone), appointment }))
  return { isDay, list, taken }
}

/** Those that take up the provider or the room. */
export const inTheWay = (taken: readonly TakenSpan[], { providerId, roomId }: Wanted): TakenSpan[] =>
  taken.filter(
    ({ appointment }) =>
      (providerId !== null && appointment.providerId === providerId) || (roomId !== null && appointment.roomId === roomId),
  )
