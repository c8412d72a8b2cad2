import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Overlap, unlessTaken } from '../reservations/service.ts'
import { type FieldErrors, isOpen, problemsOf } from './check.ts'
import type { Appointment } from './contract.ts'
import { addRebooking, dropRebooking, follow, named } from './follow.ts'
import { lock, type Row } from './lock.ts'
import { getAppointment } from './read.ts'
import { type AppointmentStatus, type AppointmentType, holding, isTooEarly, mayFollow, movedStatus } from './rules.ts'
import { appointments } from './table.ts'
import { describeChange, describeStatus } from './labels.ts'

interface Conflict {
  conflict: Appointment
}
type Refused = FieldErrors | Overlap | Conflict | null

interface Changed {
  id: string
  version: number
  type?: AppointmentType | undefined
  providerId?: string | null | undefined
  roomId?: string | null | undefined
  startsAt?: Date | undefined
  minutes?: number | undefined
  notes?: string | null | undefined
  tellsPatient?: boolean | undefined
  outsideHours: boolean
}

/**
 * Moves an appointment, or changes what it is. Moved without a length, it takes as long as before; at a time that no one has confirmed it is
 * booked. Null: there is none.
 */
export async function changeAppointment(
  scope: Scope,
  { id, version, minutes, outsideHours, ...given }: Changed,
): Promise<Appointment | Refused | 'outside-hours' | 'not-holding'> {
  return unlessTaken(scope, async (tx, take) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.version !== version) return conflict(tx, scope, before)
    const wanted: Row = { ...before, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
    const length = minutes === undefined ? before.endsAt.getTime() - before.startsAt.getTime() : minutes * 60_000
    wanted.endsAt = new Date(wanted.startsAt.getTime() + length)

    const { after: differing } = difference(before, wanted)
    if (Object.keys(differing).length === 0) return (await getAppointment(tx, id))!
    const isMoved = 'startsAt' in differing || 'endsAt' in differing
    const isElsewhere = 'providerId' in differing || 'roomId' in differing
    if ((isMoved || isElsewhere) && !holding.includes(before.status)) return 'not-holding'
    const invalid = await problemsOf(tx, wanted, before)
    if (invalid) return invalid
    if (isMoved && !outsideHours && !(await isOpen(tx, scope, wanted))) return 'outside-hours'

    if ('startsAt' in differing) {
      const [from, to] = [before, wanted].map(({ startsAt }) => dayAt(startsAt, scope.env.PRACTICE_TIME_ZONE))
      wanted.status = movedStatus(before.status, from === to)
    }
    if (isMoved || isElsewhere) await take(wanted)
    const row = await writeAppointment(tx, scope, before, wanted)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isConsult: row.type === 'consult' && before.type !== 'consult' && holding.includes(row.status),
        was: before.startsAt,
        told: describeChange(await named(tx, before), await named(tx, row), scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return (await getAppointment(tx, id))!
  })
}

interface NewStatus {
  id: string
  version: number
  status: AppointmentStatus
  /** Of one that is cancelled. */
  reason?: string | undefined
  /** Whether the patient is told of it, and of what follows; as before unless given. */
  tellsPatient?: boolean | undefined
}

/** What becomes of an appointment. One that was missed or cancelled makes a task to book again, and takes its time back if it comes back. */
export async function setStatus(
  scope: Scope,
  { id, version, status, reason, tellsPatient }: NewStatus,
): Promise<Appointment | Refused | 'not-possible' | 'too-early'> {
  return unlessTaken(scope, async (tx, take) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.version !== version) return conflict(tx, scope, before)
    if (!mayFollow(before.status, status)) return 'not-possible'
    if (isTooEarly(status, before.startsAt, scope.now())) return 'too-early'
    const [hasTime, takesTime] = [before.status, status].map((each) => holding.includes(each))
    // Anyone who has left since cannot be booked again; what took place with them did.
    const invalid = !hasTime && status === 'booked' ? await problemsOf(tx, before, null) : null
    if (invalid) return invalid

    if (!hasTime && takesTime) await take(before)
    const isOff = status === 'no_show' || status === 'cancelled'
    const rebookTaskId = isOff ? await addRebooking(tx, scope, locked, status) : null
    if (!isOff) await dropRebooking(tx, scope, before)
    const wanted = { ...before, status, rebookTaskId, cancelReason: reason ?? null, tellsPatient: tellsPatient ?? before.tellsPatient }
    const row = await writeAppointment(tx, scope, before, wanted)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isConsult: row.type === 'consult' && !hasTime && status === 'booked',
        seenAt: status === 'completed' ? new Date(Math.min(row.startsAt.getTime(), scope.now().getTime())) : null,
        told: describeStatus(await named(tx, row), status, row.cancelReason, scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return (await getAppointment(tx, id))!
  })
}

async function conflict(tx: Db, scope: Scope, { id, contactId }: Row): Promise<Conflict> {
  await recordChange(tx, scope, { action: 'viewed', kind: 'appointment', contactIds: [contactId] })
  return { conflict: (await getAppointment(tx, id))! }
}

/** Writes what differs of a locked appointment, with version and audit. */
export async function writeAppointment(tx: Db, scope: Scope, before: Row, { id, ...wanted }: Row): Promise<Row> {
  const changes = difference(before, { id, ...wanted })
  const [row] = await tx
    .update(appointments)
    .set({ ...wanted, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(appointments.id, id))
    .returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'appointment',
    contactIds: [before.contactId],
    before: { id, ...changes.before },
    after: { id, ...changes.after },
  })
  return row!
}
