import type { Language } from '../../shared/translations.ts'
import type { AppointmentStatus } from './rules.ts'

export const dayParts = ['morning', 'afternoon', 'evening'] as const
export type DayPart = (typeof dayParts)[number]
/** The part of the day of a time, 'HH:mm'. */
export const dayPartOf = (time: string): DayPart => (time < '12:00' ? 'morning' : time < '17:00' ? 'afternoon' : 'evening')

/** The path of links in emails. */
export const linkPath = '/appointment'

/** The path of the file that adds the appointment behind a link to a calendar. */
export const calendarFilePath = (token: string): string => `/api/appointment-links/${token}/appointment.ics`

/** The path of the page where patients book a visit. */
export const bookingPath = (visitTypeId: string, language: Language): string =>
  `/book?${new URLSearchParams({ visit: visitTypeId, language })}`

export const linkMessages = {
  notFound: 'This link no longer works',
  tooMany: 'Too many attempts. Please wait 15 minutes, or call us.',
  notPossible: 'This appointment has changed. Please load the page again.',
  tooLate: 'It is too late to change this appointment online. Please call us.',
  fee: 'The fee for cancelling has changed. Please load the page again.',
  taken: 'This time was just taken. Please choose another one.',
} as const

/** States that a link can show. */
export const linkStates = ['booked', 'confirmed', 'moved', 'cancelled'] as const
export type LinkState = (typeof linkStates)[number]

interface Linked {
  status: AppointmentStatus
  startsAt: Date
}

/**
 * The state that a link shows. Null once the time in its email (`mailedFor`) has passed, or once the patient arrived or missed it. An
 * appointment that has been moved or cancelled since then says so.
 */
export function linkState(now: Date, mailedFor: Date, { status, startsAt }: Linked): LinkState | null {
  if (mailedFor <= now) return null
  if (status === 'cancelled') return 'cancelled'
  if (startsAt.getTime() !== mailedFor.getTime()) return startsAt > now ? 'moved' : null
  return status === 'booked' || status === 'confirmed' ? status : null
}

/** What a patient asks for when they need another time. */
export interface RescheduleRequest {
  weekdays: readonly number[]
  dayParts: readonly DayPart[]
  words: string | null
}

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const dayPartNames: Record<DayPart, string> = { morning: 'Mornings', afternoon: 'Afternoons', evening: 'Evenings' }

/** 'Monday, Tuesday. Mornings.' followed by the typed text; 'Any other time.' if nothing was chosen. */
export function formatRescheduleRequest({ weekdays, dayParts: parts, words }: RescheduleRequest): string {
  const days = weekdays.toSorted((a, b) => a - b).map((weekday) => weekdayNames[weekday - 1]!)
  const times = dayParts.filter((part) => parts.includes(part)).map((part) => dayPartNames[part])
  const sentences = [days, times].filter((list) => list.length > 0).map((list) => `${list.join(', ')}.`)
  if (sentences.length === 0 && words === null) return 'Any other time.'
  return [sentences.join(' '), words].filter(Boolean).join('\n')
}
