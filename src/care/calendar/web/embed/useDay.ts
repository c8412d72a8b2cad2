import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { beginningOf, daysLater } from '../../../../shared/zoned-time.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { typeNames } from '../../../appointments/rules.ts'
import { type Span, spanOn } from '../../../appointments/opening-rules.ts'

/** What takes up a provider's and a room's time on a day. */
export interface Taken extends Span {
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

interface Booked {
  id: string
  contact: { firstName: string; lastName: string }
  roomId: string | null
  startsAt: string
  endsAt: string
}

/** What else there is on a day, appointments and surgeries; `day` is '' while none is chosen. */
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

  const takenOf = (one: Booked, providerId: string | null, what: string): Taken => {
    const { id, roomId, startsAt, endsAt, contact } = one
    return {
      ...spanOn(day, one, timeZone),
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
        ...appointments.data!.data.map((one) => takenOf(one, one.providerId, typeNames[one.type].toLowerCase())),
        ...surgeries.data!.data.map((one) => takenOf(one, one.surgeonId, 'surgery')),
      ]
        .filter(({ id }) => id !== except)
        .toSorted((a, b) => a.from - b.from)
    : []
  return { isDay, taken, isKnown, hasFailed: both.some(({ error, data }) => error && !data) }
}

/** Those that take up the provider or the room. */
export const inTheWay = (taken: readonly Taken[], { providerId, roomId }: Wanted): Taken[] =>
  taken.filter((one) => (providerId !== null && one.providerId === providerId) || (roomId !== null && one.roomId === roomId))
