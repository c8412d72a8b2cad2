import type { AppointmentType } from '../appointments/rules.ts'

/** Days back and ahead that a feed covers. */
export const [daysBack, daysAhead] = [30, 365] as const

/** Event types. What is treated, and why, is not shared outside the clinic. */
const shortNames: Record<AppointmentType, string> = {
  consult: 'Consult',
  pre_op: 'Pre-op',
  post_op: 'Post-op',
  follow_up: 'Follow-up',
  treatment: 'Treatment',
  other: 'Appointment',
}

/** 'A.B.' for Ana Bélanger-Roy. A name without letters has no initial. */
export function initials({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [firstName, lastName]
    .map((name) => /\p{L}/u.exec(name)?.[0])
    .filter((letter) => letter !== undefined)
    .map((letter) => `${letter.toLocaleUpperCase('en-CA')}.`)
    .join('')
}

/** 'Consult A.B.'. Calendar programs show titles on locked screens, and their vendors store them. */
export const eventTitle = (what: AppointmentType | 'surgery', patient: { firstName: string; lastName: string }): string =>
  `${what === 'surgery' ? 'Surgery' : shortNames[what]} ${initials(patient)}`.trim()
