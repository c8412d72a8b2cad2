import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { changedBooking } from '../reservations/service.ts'
import { bookings, type Row } from './bookings.ts'
import { clashOf, problemsOf, proceduresOf } from './check.ts'
import { followProcedures, moveDueDays } from './checklist.ts'
import { follow, named } from './follow.ts'
import { describeChange, describeStatus } from './labels.ts'
import { type Anaesthesia, holding, isTooEarly, mayFollow, type SurgeryStatus } from './rules.ts'

interface Changed {
  id: string
  version: number
  procedureIds?: string[] | undefined
  surgeonId?: string | null | undefined
  assistantIds?: string[] | undefined
  anaesthesia?: Anaesthesia | undefined
  roomId?: string | null | undefined
  startsAt?: Date | undefined
  minutes?: number | undefined
  implants?: string | null | undefined
  priceCents?: number | null | undefined
  notes?: string | null | undefined
}

const isEarly = ({ now, env }: Scope, status: SurgeryStatus, { startsAt }: Row): boolean =>
  isTooEarly(status, dayAt(startsAt, env.PRACTICE_TIME_ZONE), dayAt(now(), env.PRACTICE_TIME_ZONE))

const takenOf = (row: Row) => ({ ...row, providerId: row.surgeonId })

/**
 * Moves a surgery, or changes what it is. Moved without a length, it takes as long as before. One that is postponed may be given its new day
 * before it holds it. Null: there is none.
 */
export function changeSurgery(scope: Scope, { id, version, minutes, procedureIds, ...given }: Changed) {
  return bookings.change(scope, { id, version }, async (tx, locked, take) => {
    const { row: before } = locked
    const procedures = procedureIds ? await proceduresOf(tx, procedureIds, before.procedures) : before.procedures
    if (isRefusal(procedures)) return procedures
    const { wanted, differs, isSame } = changedBooking(before, { ...given, procedures }, minutes)
    if (isSame) return undefined
    const isMoved = differs('startsAt', 'endsAt', 'surgeonId', 'roomId')
    if (isMoved && before.status === 'cancelled') return refuse('NOT_HOLDING')
    if (differs('startsAt') && isEarly(scope, before.status, wanted)) return refuse('TOO_EARLY')
    const invalid = await problemsOf(tx, wanted, before)
    if (invalid) return invalid

    if (isMoved && holding.includes(before.status)) {
      const clash = differs('startsAt', 'endsAt') ? await clashOf(tx, wanted) : null
      if (clash) return clash
      await take(takenOf(wanted))
    }
    const row = await bookings.write(tx, scope, before, wanted)
    if (differs('startsAt')) await moveDueDays(tx, scope, row)
    if (differs('procedures')) await followProcedures(tx, scope, row)
    await follow(
      tx,
      scope,
      { ...locked, row },
      {
        isBooked: false,
        was: differs('startsAt', 'priceCents') ? before : undefined,
        description: describeChange(await named(tx, before), await named(tx, row), scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return undefined
  })
}

interface NewStatus {
  id: string
  version: number
  status: SurgeryStatus
  /** Of one that is cancelled. */
  reason?: string | undefined
}

/** What becomes of a surgery. One that was postponed or cancelled gives its time back, and takes it again if it comes back. */
export function setStatus(scope: Scope, { id, version, status, reason }: NewStatus) {
  return bookings.change(scope, { id, version }, async (tx, locked, take) => {
    const { row: before } = locked
    if (!mayFollow(before.status, status)) return refuse('NOT_POSSIBLE')
    if (isEarly(scope, status, before)) return refuse('TOO_EARLY')
    const comesBack = !holding.includes(before.status) && holding.includes(status)
    if (comesBack) {
      // Anyone who has left since cannot be booked again.
      const refused = (await problemsOf(tx, before, null)) ?? (await clashOf(tx, before))
      if (refused) return refused
      await take(takenOf(before))
    }
    const row = await bookings.write(tx, scope, before, { ...before, status, cancelReason: reason ?? null })
    const description = describeStatus(await named(tx, row), status, scope.env.PRACTICE_TIME_ZONE)
    await follow(tx, scope, { ...locked, row }, { isBooked: comesBack, was: before, description })
    return undefined
  })
}
