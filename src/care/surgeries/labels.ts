import { describeBookingChange, formatMoment, formatPlace, type NamedBooking } from '../reservations/rules.ts'
import type { CaseProcedure, SurgeryStatus } from './rules.ts'

/** A case with the names that a sentence needs. */
export interface NamedSurgery extends NamedBooking {
  procedures: readonly CaseProcedure[]
}

const list = new Intl.ListFormat('en-CA')
const formatProcedures = ({ procedures }: NamedSurgery): string => list.format(procedures.map(({ name }) => name))

/** The timeline entry of a new case: 'Surgery booked: Rhinoplasty on Tue, Dec 1, 2026 at 8:00 a.m. with Dr. Okafor in Operating room'. */
export const describeBooking = (surgery: NamedSurgery, zone: string): string =>
  `Surgery booked: ${formatProcedures(surgery)} on ${formatMoment(surgery.startsAt, zone)}${formatPlace(surgery)}`

/** The timeline entry of a change; null if time, place and procedures are unchanged. */
export function describeChange(before: NamedSurgery, after: NamedSurgery, zone: string): string | null {
  const typeChange =
    formatProcedures(before) === formatProcedures(after)
      ? null
      : (at: string) => `Surgery on ${at} is now ${formatProcedures(after)} instead of ${formatProcedures(before)}`
  return describeBookingChange(before, after, { what: 'Surgery', typeChange, withoutPlace: ' without surgeon and room' }, zone)
}

/** The timeline entry of a status change. It omits the cancellation reason, because not everyone who reads the timeline may see it. */
export const describeStatus = ({ startsAt }: NamedSurgery, status: SurgeryStatus, zone: string): string =>
  `Surgery on ${formatMoment(startsAt, zone)} ${status}`
