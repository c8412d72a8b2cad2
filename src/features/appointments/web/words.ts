import type { Person } from '../../auth/contract.ts'
import type { RoomData } from '../../practice/web/embed/usePractice.ts'
import { type Clock, formatDateTime, formatTime } from '../../../web/ui/format.ts'
import type { AppointmentStatus, AppointmentType } from '../rules.ts'
import type { AppointmentData } from './appointment-data.ts'

export const typeLabels: Record<AppointmentType, string> = {
  consult: 'Consult',
  pre_op: 'Pre-op',
  post_op: 'Post-op',
  follow_up: 'Follow-up',
  treatment: 'Treatment',
  other: 'Other',
}

export const statusLabels: Record<AppointmentStatus, string> = {
  booked: 'Booked',
  confirmed: 'Confirmed',
  arrived: 'Arrived',
  completed: 'Completed',
  no_show: 'No-show',
  cancelled: 'Cancelled',
}

/** '10:15 – 11:00 a.m.', '11:30 a.m. – 12:15 p.m.' */
export function timesInWords(startsAt: string | Date, endsAt: string | Date, timeZone: string): string {
  const [from, to] = [formatTime(startsAt, timeZone), formatTime(endsAt, timeZone)]
  return `${from.slice(-4) === to.slice(-4) ? from.slice(0, -5) : from} – ${to}`
}

/** 'Thu, Nov 26, 10:15 – 11:00 a.m.' */
export function whenInWords({ startsAt, endsAt }: Pick<AppointmentData, 'startsAt' | 'endsAt'>, clock: Clock): string {
  const day = formatDateTime(startsAt, clock).slice(0, -formatTime(startsAt, clock.timeZone).length)
  return `${day}${timesInWords(startsAt, endsAt, clock.timeZone)}`
}

/** '45 min', '1 h', '1 h 30 min' */
export function lengthInWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** The names behind an appointment's ids. */
export interface Names {
  people: readonly Person[]
  rooms: readonly RoomData[]
}

/** Null where there is none. */
export function providerName(id: string | null, { people }: Pick<Names, 'people'>): string | null {
  if (id === null) return null
  const person = people.find((one) => one.id === id)
  return person?.fullName ?? (people.length > 0 ? 'Former staff' : null)
}

export const roomName = (id: string | null, { rooms }: Pick<Names, 'rooms'>): string | null =>
  rooms.find((room) => room.id === id)?.name ?? null
