import type { AppointmentStatus } from './rules.ts'

export const dayParts = ['morning', 'afternoon', 'evening'] as const
export type DayPart = (typeof dayParts)[number]

/** Where the links of mails lead. */
export const linkPath = '/appointment'

export const linkMessages = {
  notFound: 'This link no longer works',
  tooMany: 'Too many tries. Please wait a quarter of an hour, or call us.',
  notPossible: 'This appointment has changed. Please load the page again.',
} as const

/** What its holder finds behind a link. */
export const linkStates = ['booked', 'confirmed', 'moved', 'cancelled'] as const
export type LinkState = (typeof linkStates)[number]

interface Linked {
  status: AppointmentStatus
  startsAt: Date
}

/**
 * What a link is good for: null, nothing any more, once the time that its mail told has come, or the patient was seen or missed. An appointment that
 * was moved or cancelled since says so.
 */
export function linkState(now: Date, mailedFor: Date, { status, startsAt }: Linked): LinkState | null {
  if (mailedFor <= now) return null
  if (status === 'cancelled') return 'cancelled'
  if (startsAt.getTime() !== mailedFor.getTime()) return startsAt > now ? 'moved' : null
  return status === 'booked' || status === 'confirmed' ? status : null
}

/** What a patient who needs another time says of it, in words. */
export interface Wish {
  weekdays: readonly number[]
  dayParts: readonly DayPart[]
  words: string | null
}

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const dayPartNames: Record<DayPart, string> = { morning: 'Mornings', afternoon: 'Afternoons', evening: 'Evenings' }

/** 'Monday, Tuesday. Mornings.' and what was typed; 'Any other time.' where nothing was said. */
export function formatWish({ weekdays, dayParts: parts, words }: Wish): string {
  const days = weekdays.toSorted((a, b) => a - b).map((weekday) => weekdayNames[weekday - 1]!)
  const times = dayParts.filter((part) => parts.includes(part)).map((part) => dayPartNames[part])
  const said = [days, times].filter((list) => list.length > 0).map((list) => `${list.join(', ')}.`)
  if (said.length === 0 && words === null) return 'Any other time.'
  return [said.join(' '), words].filter(Boolean).join('\n')
}
