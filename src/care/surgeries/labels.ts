import { describeBookingChange, formatMoment, formatPlace, type NamedBooking } from '../reservations/rules.ts'
import type { CaseProcedure, SurgeryStatus } from './rules.ts'

/** A case as a sentence names it. */
export interface Named extends NamedBooking {
  procedures: readonly CaseProcedure[]
}

const list = new Intl.ListFormat('en-CA')
const what = ({ procedures }: Named): string => list.format(procedures.map(({ name }) => name))

/** What the timeline says of a new case: 'Surgery booked: Rhinoplasty on Tue, Dec 1, 2026 at 8:00 a.m. with Dr. Okafor in Operating room'. */
export const describeBooking = (one: Named, zone: string): string =>
  `Surgery booked: ${what(one)} on ${formatMoment(one.startsAt, zone)}${formatPlace(one)}`

/** What it says of a change; null where nothing changed that concerns when, where or what is operated. */
export function describeChange(before: Named, after: Named, zone: string): string | null {
  const became = what(before) === what(after) ? null : (at: string) => `Surgery on ${at} is ${what(after)} now, no longer ${what(before)}`
  return describeBookingChange(before, after, { what: 'Surgery', became, nowhere: ' without surgeon and room' }, zone)
}

/** Why one was cancelled stands with the case: not everyone who reads a timeline may know it. */
export const describeStatus = ({ startsAt }: Named, status: SurgeryStatus, zone: string): string =>
  `Surgery on ${formatMoment(startsAt, zone)} ${status}`
