import { spokenMoment } from '../appointments/service.ts'
import type { CaseProcedure, SurgeryStatus } from './rules.ts'

/** A case as a sentence names it. */
export interface Named {
  procedures: readonly CaseProcedure[]
  startsAt: Date
  /** What they are called. */
  surgeon: string | null
  room: string | null
}

const list = new Intl.ListFormat('en-CA')
const what = ({ procedures }: Named): string => list.format(procedures.map(({ name }) => name))
const by = ({ surgeon, room }: Named): string => `${surgeon ? ` with ${surgeon}` : ''}${room ? ` in ${room}` : ''}`

/** What the timeline says of a new case: 'Surgery booked: Rhinoplasty on Tue, Dec 1, 2026 at 8:00 a.m. with Dr. Okafor in Operating room'. */
export const describeBooking = (one: Named, zone: string): string =>
  `Surgery booked: ${what(one)} on ${spokenMoment(one.startsAt, zone)}${by(one)}`

/** What it says of a change; null where nothing changed that concerns when, where or what is operated. */
export function describeChange(before: Named, after: Named, zone: string): string | null {
  const at = spokenMoment(after.startsAt, zone)
  if (before.startsAt.getTime() !== after.startsAt.getTime())
    return `Surgery moved from ${spokenMoment(before.startsAt, zone)} to ${at}${by(after)}`
  if (what(before) !== what(after)) return `Surgery on ${at} is ${what(after)} now, no longer ${what(before)}`
  if (by(before) !== by(after)) return `Surgery on ${at} is now${by(after) || ' without surgeon and room'}`
  return null
}

/** Why one was cancelled stands with the case: not everyone who reads a timeline may know it. */
export const describeStatus = ({ startsAt }: Named, status: SurgeryStatus, zone: string): string =>
  `Surgery on ${spokenMoment(startsAt, zone)} ${status}`
