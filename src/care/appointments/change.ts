import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { changedBooking } from '../reservations/service.ts'
import { bookings } from './bookings.ts'
import { isOpen, problemsOf } from './check.ts'
import { addRebooking, dropRebooking, follow, named } from './follow.ts'
import { describeChange, describeStatus } from './labels.ts'
import { type AppointmentStatus, type AppointmentType, holding, isTooEarly, mayFollow, movedStatus } from './rules.ts'

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
export function changeAppointment(scope: Scope, { id, version, minutes, outsideHours, ...given }: Changed) {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  return bookings.change(scope, { id, version }, async (tx, locked, take) => {
    const { row: before } = locked
    const { wanted, differs, isSame } = changedBooking(before, given, minutes)
    if (isSame) return undefined
    const isMoved = differs('startsAt', 'endsAt')
    const isElsewhere = differs('providerId', 'roomId')
    if ((isMoved || isElsewhere) && !holding.includes(before.status)) return refuse('NOT_HOLDING')
    const invalid = await problemsOf(tx, wanted, before)
    if (invalid) return invalid
    if (isMoved && !outsideHours && !(await isOpen(tx, scope, wanted))) return refuse('OUTSIDE_HOURS')

    if (differs('startsAt')) wanted.status = movedStatus(before.status, dayAt(before.startsAt, zone) === dayAt(wanted.startsAt, zone))
    if (isMoved || isElsewhere) await take(wanted)
    const row = await bookings.write(tx, scope, before, wanted)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isConsult: row.type === 'consult' && before.type !== 'consult' && holding.includes(row.status),
        was: before.startsAt,
        description: describeChange(await named(tx, before), await named(tx, row), zone),
      },
    )
    return undefined
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
export function setStatus(scope: Scope, { id, version, status, reason, tellsPatient }: NewStatus) {
  return bookings.change(scope, { id, version }, async (tx, locked, take) => {
    const { row: before } = locked
    if (!mayFollow(before.status, status)) return refuse('NOT_POSSIBLE')
    if (isTooEarly(status, before.startsAt, scope.now())) return refuse('TOO_EARLY')
    const [hasTime, takesTime] = [before.status, status].map((each) => holding.includes(each))
    // Anyone who has left since cannot be booked again; what took place with them did.
    const invalid = !hasTime && status === 'booked' ? await problemsOf(tx, before, null) : null
    if (invalid) return invalid

    if (!hasTime && takesTime) await take(before)
    const isOff = status === 'no_show' || status === 'cancelled'
    const rebookTaskId = isOff ? await addRebooking(tx, scope, locked, status) : null
    if (!isOff) await dropRebooking(tx, scope, before)
    const wanted = { ...before, status, rebookTaskId, cancelReason: reason ?? null, tellsPatient: tellsPatient ?? before.tellsPatient }
    const row = await bookings.write(tx, scope, before, wanted)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isConsult: row.type === 'consult' && !hasTime && status === 'booked',
        seenAt: status === 'completed' ? new Date(Math.min(row.startsAt.getTime(), scope.now().getTime())) : null,
        description: describeStatus(await named(tx, row), status, row.cancelReason, scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return undefined
  })
}
