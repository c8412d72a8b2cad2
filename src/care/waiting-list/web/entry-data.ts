import { useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { formatDay } from '../../../ui/format.ts'
import { dayParts } from '../../appointments/link-rules.ts'

/** An entry of the waiting list as the API returns it: instants are ISO strings. */
export type EntryData = Awaited<ReturnType<Client['waitingList']['add']>>
export type GapData = Awaited<ReturnType<Client['waitingList']['gaps']>>[number]

export const weekdayLabels = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export const dayPartLabels = { morning: 'Mornings', afternoon: 'Afternoons', evening: 'Evenings' } as const

/** 'Tue, Thu · Mornings · until Dec 31, 2026' */
export function formatEntry(
  { weekdays, dayParts: parts, fromDay, toDay }: Pick<EntryData, 'weekdays' | 'dayParts' | 'fromDay' | 'toDay'>,
  today: string,
): string {
  const days = weekdays.length === 0 || weekdays.length === 7 ? 'Any day' : weekdays.map((day) => weekdayLabels[day - 1]).join(', ')
  const times =
    parts.length === 0 || parts.length === dayParts.length
      ? 'any time'
      : dayParts
          .filter((part) => parts.includes(part))
          .map((part) => dayPartLabels[part].toLowerCase())
          .join(', ')
  const span = fromDay > today ? `${formatDay(fromDay)} to ${formatDay(toDay)}` : `until ${formatDay(toDay)}`
  return `${days} · ${times} · ${span}`
}

/** The name of a patient. */
export const nameOf = ({ firstName, lastName }: EntryData['contact']): string => `${firstName} ${lastName}`

/** The offer that the patient has not answered yet; null: none is. */
export const openOffer = ({ offers }: EntryData) => offers.find(({ status }) => status === 'open') ?? null

/** Refreshes the waiting list on server events, also of bookings, which fill gaps. Returns how to refresh it. */
export function useLiveWaitingList(): () => void {
  const cache = useQueryClient()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.waitingList.key() })
  useLive(['waiting-list', 'appointment', 'practice'], refresh, { debounceMs: 300 })
  return refresh
}
