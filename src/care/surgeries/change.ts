import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { countOpen } from '../implants/service.ts'
import { stopCheckIns } from '../check-ins/service.ts'
import { applyChanges } from '../reservations/service.ts'
import { bookings, type Row } from './bookings.ts'
import { findPatientOverlap, problemsOf, resolveProcedures } from './check.ts'
import { syncProcedureItems, shiftDueDates } from './checklists/checklist.ts'
import { updatePatientRecord, withNames } from './update-record.ts'
import { openSafetyPhases, safetyDay } from './safety/state.ts'
import { describeChange, describeStatus } from './labels.ts'
import { type Anaesthesia, blockingStatuses, isTooEarly, mayFollow, type SurgeryStatus } from './rules.ts'

interface SurgeryChange {
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

const isBeforeItsDay = ({ now, env }: Scope, status: SurgeryStatus, { startsAt }: Row): boolean =>
  isTooEarly(status, dayAt(startsAt, env.PRACTICE_TIME_ZONE), dayAt(now(), env.PRACTICE_TIME_ZONE))

const reservationOf = (row: Row) => ({ ...row, providerId: row.surgeonId })

/**
 * Moves or edits a surgery. Without `minutes` its duration stays the same. A postponed surgery can be given a new day before it reserves
 * it. Returns null if there is no such surgery.
 */
export function changeSurgery(scope: Scope, { id, version, minutes, procedureIds, ...given }: SurgeryChange) {
  return bookings.change(scope, { id, version }, async (tx, locked, reserve) => {
    const { row: before } = locked
    const procedures = procedureIds ? await resolveProcedures(tx, procedureIds, before.procedures) : before.procedures
    if (isRefusal(procedures)) return procedures
    const { wanted, differs, isSame } = applyChanges(before, { ...given, procedures }, minutes)
    if (isSame) return undefined
    const isMoved = differs('startsAt', 'endsAt', 'surgeonId', 'roomId')
    if (isMoved && before.status === 'cancelled') return refuse('NOT_HOLDING')
    if (differs('startsAt') && isBeforeItsDay(scope, before.status, wanted)) return refuse('TOO_EARLY')
    const invalid = await problemsOf(tx, wanted, before)
    if (invalid) return invalid

    if (isMoved && blockingStatuses.includes(before.status)) {
      const overlap = differs('startsAt', 'endsAt') ? await findPatientOverlap(tx, wanted) : null
      if (overlap) return overlap
      await reserve(reservationOf(wanted))
    }
    const row = await bookings.write(tx, scope, before, wanted)
    if (differs('startsAt')) await shiftDueDates(tx, scope, row)
    if (safetyDay(scope, before) !== safetyDay(scope, row)) await stopCheckIns(tx, scope, row.id)
    if (differs('procedures')) await syncProcedureItems(tx, scope, row)
    await updatePatientRecord(
      tx,
      scope,
      { ...locked, row },
      {
        isBooked: false,
        before: differs('startsAt', 'priceCents') ? before : undefined,
        description: describeChange(await withNames(tx, before), await withNames(tx, row), scope.env.PRACTICE_TIME_ZONE),
      },
    )
    return undefined
  })
}

interface NewStatus {
  id: string
  version: number
  status: SurgeryStatus
  /** Required when cancelling. */
  reason?: string | undefined
}

/**
 * Changes the status. A postponed or cancelled surgery releases its time, and reserves it again if it is reinstated. A surgery is completed
 * only once its safety checklist is done or waived.
 */
export function setStatus(scope: Scope, { id, version, status, reason }: NewStatus) {
  return bookings.change(scope, { id, version }, async (tx, locked, reserve) => {
    const { row: before } = locked
    if (!mayFollow(before.status, status)) return refuse('NOT_POSSIBLE')
    if (isBeforeItsDay(scope, status, before)) return refuse('TOO_EARLY')
    const pieces = status === 'completed' ? await countOpen(tx, id) : 0
    if (pieces > 0) return refuse('DEVICES_OPEN', { pieces })
    const open = status === 'completed' ? await openSafetyPhases(tx, scope, before) : []
    if (open.length > 0) return refuse('SAFETY_CHECKLIST', { open })
    const isReinstated = !blockingStatuses.includes(before.status) && blockingStatuses.includes(status)
    if (isReinstated) {
      // Staff who have left cannot be booked again.
      const refused = (await problemsOf(tx, before, null)) ?? (await findPatientOverlap(tx, before))
      if (refused) return refused
      await reserve(reservationOf(before))
    }
    const row = await bookings.write(tx, scope, before, { ...before, status, cancelReason: reason ?? null })
    if (before.status === 'completed') await stopCheckIns(tx, scope, row.id)
    const description = describeStatus(await withNames(tx, row), status, scope.env.PRACTICE_TIME_ZONE)
    await updatePatientRecord(tx, scope, { ...locked, row }, { isBooked: isReinstated, before, description })
    return undefined
  })
}
