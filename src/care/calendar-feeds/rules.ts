import type { AppointmentType } from '../appointments/rules.ts'

/** Days back and ahead that a feed holds. */
export const [daysBack, daysAhead] = [30, 365] as const

/** What kind of time it is. What is treated, and why, stays in the clinic. */
const shortNames: Record<AppointmentType, string> = {
  consult: 'Consult',
  pre_op: 'Pre-op',
  post_op: 'Post-op',
  follow_up: 'Follow-up',
  treatment: 'Treatment',
  other: 'Appointment',
}

/** 'A.B.' of Ana Bélanger-Roy; what has no letters gives nothing. */
export function initials({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [firstName, lastName]
    .map((name) => /\p{L}/u.exec(name)?.[0])
    .filter((letter) => letter !== undefined)
    .map((letter) => `${letter.toLocaleUpperCase('en-CA')}.`)
    .join('')
}

/** 'Consult A.B.'; a calendar program shows it on a locked screen, and its maker keeps it. */
export const eventTitle = (what: AppointmentType | 'surgery', patient: { firstName: string; lastName: string }): string =>
  `${what === 'surgery' ? 'Surgery' : shortNames[what]} ${initials(patient)}`.trim()
