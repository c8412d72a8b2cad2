import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { beginningOf, daysLater } from '../../../../../shared/zoned-time.ts'
import { orpc } from '../../../../../ui/client/api.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { typeNames } from '../../../../appointments/rules.ts'
import { type Span, spanOn } from '../../../../appointments/opening-rules.ts'

/** A booking on a day, with the minutes it covers. */
export interface BookedSpan extends Span {
  id: string
  providerId: string | null
  roomId: string | null
  startsAt: string
  endsAt: string
  patient: string
  /** 'consultation', 'surgery' */
  what: string
}

interface Wanted {
  providerId: string | null
  roomId: string | null
}

interface BookingData {
  id: string
  contact: { firstName: string; lastName: string }
  roomId: string | null
  startsAt: string
  endsAt: string
}

/** Appointments and surgeries on a day, without `except`; `day` is '' until chosen. */
export function useDay(day: string, except: string | null) {
  const { timeZone } = useClock()
  const isDay = /^20\d\d-\d\d-\d\d$/.test(day)
  const from = isDay ? beginningOf(day, timeZone).toISOString() : ''
  const to = isDay ? beginningOf(daysLater(day, 1), timeZone).toISOString() : ''
  const options = { input: { from, to }, enabled: isDay, placeholderData: keepPreviousData }
  const appointments = useQuery(orpc.appointments.list.queryOptions(options))
  const surgeries = useQuery(orpc.surgeries.list.queryOptions(options))
  const both = [appointments, surgeries]
  const isKnown = isDay && both.every(({ data, isPlaceholderData }) => data && !isPlaceholderData)

  const toSpan = (booking: BookingData, providerId: string | null, what: string): BookedSpan => {
    const { id, roomId, startsAt, endsAt, contact } = booking
    return {
      ...spanOn(day, booking, timeZone),
      id,
      providerId,
      roomId,
      startsAt,
      endsAt,
      patient: `${contact.firstName} ${contact.lastName}`,
      what,
    }
  }
  const taken = isKnown
    ? [
        ...appointments.data!.data.map((booking) => toSpan(booking, booking.providerId, typeNames[booking.type].toLowerCase())),
        ...surgeries.data!.data.map((booking) => toSpan(booking, booking.surgeonId, 'surgery')),
      ]
        .filter(({ id }) => id !== except)
        .toSorted((a, b) => a.from - b.from)
    : []
  return { isDay, taken, isKnown, hasFailed: both.some(({ error, data }) => error && !data) }
}

/** Bookings of the provider or the room. */
export const bookingsOf = (taken: readonly BookedSpan[], { providerId, roomId }: Wanted): BookedSpan[] =>
  taken.filter((booking) => (providerId !== null && booking.providerId === providerId) || (roomId !== null && booking.roomId === roomId))
