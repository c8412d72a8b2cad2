import { rebookTitle } from '../src/care/appointments/labels.ts'
import { type Clock, day, isoDay, minute, workday, zone } from './clock.ts'
import { copyLine } from './copy.ts'
import type { Patient } from './patients/patients.ts'
import { type Random, uuidv7 } from './random.ts'
import type { Lines, References } from './rows.ts'
import type { StaffKey } from './staff.ts'
import type { Visit } from './patients/visits.ts'

const notes = [
  'Bringing a family member.',
  'Asked for photos of similar cases.',
  'Prefers phone calls to email.',
  'Coming straight from work, may be ten minutes late.',
  'Wants to discuss recovery at home.',
]
const at = (instant: number) => new Date(instant).toISOString()

/** Adds a patient's visits to the calendar, and a rebooking task for each no-show. */
export function addAppointments(
  to: Lines,
  patient: Patient,
  { staff, rooms }: References,
  random: Random,
  clock: Clock,
  withTasks: boolean,
): void {
  for (const visit of patient.visits) {
    const { type, room, provider, minutes, length, bookedAt, bookedBy } = visit
    const startsAt = clock.at(visit.day, minutes)
    const endsAt = startsAt + length * minute
    const status = statusOf(visit, startsAt, clock.now, random)
    const changedAt = status === 'booked' ? bookedAt : Math.max(bookedAt, Math.min(clock.now, endsAt))
    const rebooking = status === 'no_show' && withTasks ? addRebooking(to, patient, visit, staff, random, clock) : null
    const by = bookedBy && staff[bookedBy]
    to.appointments.push(
      copyLine([
        uuidv7(Math.floor(bookedAt), random.bits(12), random),
        status === 'booked' ? 1 : 2,
        patient.id,
        type,
        provider && staff[provider],
        rooms[room],
        at(startsAt),
        at(endsAt),
        status,
        status === 'cancelled' ? 'Caught a cold, will call back' : null,
        random.chance(0.25) ? random.pick(notes) : null,
        rebooking,
        by,
        at(bookedAt),
        at(changedAt),
      ]),
    )
  }
}

function statusOf({ outcome }: Visit, startsAt: number, now: number, random: Random) {
  const isSure = random.chance(0.7)
  if (outcome === 'held') return 'completed'
  if (outcome === 'missed') return isSure ? 'no_show' : 'cancelled'
  if (startsAt < now) return 'arrived'
  return startsAt < now + 3 * day && isSure ? 'confirmed' : 'booked'
}

function addRebooking(
  to: Lines,
  { id: contactId, salesRep }: Patient,
  { type, day: missedOn, minutes, length }: Visit,
  staff: Record<StaffKey, string>,
  random: Random,
  clock: Clock,
): string {
  const createdAt = Math.min(clock.now, clock.at(missedOn, minutes + length))
  const due = workday(missedOn + 1)
  const dueAt = at(clock.at(due, 9 * 60))
  const id = uuidv7(createdAt, random.bits(12), random)
  const owner = staff[salesRep ?? 'devon']
  const title = rebookTitle({ type, startsAt: new Date(clock.at(missedOn, minutes)) }, 'no_show', zone)
  to.tasks.push(
    copyLine([
      id,
      title,
      null,
      'Follow-up',
      'medium',
      'pending',
      isoDay(due),
      null,
      dueAt,
      dueAt,
      false,
      false,
      null,
      contactId,
      owner,
      staff.frontDesk,
      at(createdAt),
      at(createdAt),
    ]),
  )
  to.task_assignees.push(copyLine([id, owner, 0]))
  return id
}
