import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { applyChanges } from '../../reservations/service.ts'
import { bookings, type Locked, type Row } from '../bookings.ts'
import { checkPlace, fillEquipment, isOpen } from './check.ts'
import { addRebookTask, cancelRebookTask, updatePatientRecord, withNames } from './update-record.ts'
import { describeChange, describeStatus } from '../labels.ts'
import { onStatusChanged } from '../terms.ts'
import {
  type AppointmentStatus,
  type AppointmentType,
  blockingStatuses,
  isTooEarly,
  mayFollow,
  movedStatus,
  upcomingStatuses,
} from '../rules.ts'
import { appointments, visitTerms } from '../table.ts'

interface AppointmentChange {
  id: string
  version: number
  type?: AppointmentType | undefined
  providerId?: string | null | undefined
  roomId?: string | null | undefined
  visitTypeId?: string | null | undefined
  secondPersonId?: string | null | undefined
  startsAt?: Date | undefined
  minutes?: number | undefined
  notes?: string | null | undefined
  notifiesPatient?: boolean | undefined
  outsideHours: boolean
}

/**
 * Moves or edits an appointment. Without `minutes` its length stays the same. A new start makes a confirmed appointment booked again,
 * because the patient has not confirmed that time. Returns null if there is no such appointment.
 */
export function changeAppointment(scope: Scope, { id, version, minutes, outsideHours, ...given }: AppointmentChange) {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  return bookings.change(scope, { id, version }, async (tx, locked, reserve) => {
    const { row: before } = locked
    const { wanted, differs, isSame } = applyChanges(before, given, minutes)
    if (isSame) return undefined
    const isMoved = differs('startsAt', 'endsAt')
    const isRelocated = differs('providerId', 'roomId', 'secondPersonId', 'visitTypeId')
    if ((isMoved || isRelocated) && !blockingStatuses.includes(before.status)) return refuse('NOT_HOLDING')
    const type = await checkPlace(tx, wanted, before)
    if (isRefusal(type)) return type
    // A later change of the visit type leaves the buffers of what is booked.
    if (differs('visitTypeId')) [wanted.bufferBefore, wanted.bufferAfter] = [type?.bufferBefore ?? 0, type?.bufferAfter ?? 0]
    if (isMoved && !outsideHours && !(await isOpen(tx, scope, wanted))) return refuse('OUTSIDE_HOURS')

    if (isMoved || isRelocated) {
      // Of a visit type that is no longer offered, it keeps what it has.
      const units = type && type.equipmentIds.length > 0 ? await fillEquipment(tx, scope, type, wanted) : null
      if (isRefusal(units)) return units
      if (units || differs('visitTypeId')) wanted.equipmentUnitIds = units ?? []
    }
    if (differs('startsAt')) wanted.status = movedStatus(before.status, dayAt(before.startsAt, zone) === dayAt(wanted.startsAt, zone))
    if (isMoved || isRelocated) await reserve(wanted)
    const row = await bookings.write(tx, scope, before, wanted)
    // The patient agreed to another time, and may cancel this one at no charge until it begins.
    if (differs('startsAt')) await tx.update(visitTerms).set({ changeHours: 0 }).where(eq(visitTerms.appointmentId, id))
    await updatePatientRecord(
      tx,
      scope,
      { ...locked, row },
      {
        isConsult: row.type === 'consult' && before.type !== 'consult' && blockingStatuses.includes(row.status),
        previousStart: before.startsAt,
        description: describeChange(await withNames(tx, before), await withNames(tx, row), zone),
      },
    )
    return undefined
  })
}

interface NewStatus {
  id: string
  version: number
  status: AppointmentStatus
  /** Required when cancelling. */
  reason?: string | undefined
  /** Whether the patient is emailed about this and later changes. Unchanged when omitted. */
  notifiesPatient?: boolean | undefined
  /** Also cancels the visits of its series that follow. */
  andFollowing: boolean
}

/** Changes the status. A missed or cancelled appointment creates a rebooking task, and reserves its time again if it is reinstated. */
export function setStatus(scope: Scope, { id, version, status, reason, notifiesPatient, andFollowing }: NewStatus) {
  return bookings.change(scope, { id, version }, async (tx, locked, reserve) => {
    const { row: before } = locked
    if (!mayFollow(before.status, status)) return refuse('NOT_POSSIBLE')
    if (isTooEarly(status, before.startsAt, scope.now())) return refuse('TOO_EARLY')
    const [heldTime, holdsTime] = [before.status, status].map((each) => blockingStatuses.includes(each))
    // A provider who has left cannot be booked again, but a past visit with them can still be recorded.
    const invalid = !heldTime && status === 'booked' ? await checkPlace(tx, before, null) : null
    if (isRefusal(invalid)) return invalid

    if (!heldTime && holdsTime) await reserve(before)
    const change = { status, reason: reason ?? null, notifiesPatient }
    await writeStatus(tx, scope, locked, change)
    if (andFollowing) {
      // One task to rebook does for all of them.
      for (const each of await followingOf(tx, before)) {
        const following = (await bookings.lock(tx, each))!
        if (upcomingStatuses.includes(following.row.status)) await writeStatus(tx, scope, following, { ...change, addsTask: false })
      }
    }
    return undefined
  })
}

/** The ids of the visits of a series that are later than one of them and still to take place, in order. */
async function followingOf(tx: Db, { seriesId, startsAt }: Row): Promise<string[]> {
  if (seriesId === null) return []
  const rows = await tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(eq(appointments.seriesId, seriesId), gt(appointments.startsAt, startsAt), inArray(appointments.status, [...upcomingStatuses])),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
  return rows.map(({ id }) => id)
}

/**
 * Writes the new status of a locked appointment, with its rebooking task, the patient's record, the email, and what its terms say. `isByPatient`: whose
 * change it is.
 */
export async function writeStatus(
  tx: Db,
  scope: Scope,
  locked: Locked,
  {
    status,
    reason,
    notifiesPatient,
    isByPatient = false,
    addsTask = true,
  }: { status: AppointmentStatus; reason: string | null; notifiesPatient?: boolean | undefined; isByPatient?: boolean; addsTask?: boolean },
): Promise<Row> {
  const { row: before } = locked
  const isOff = status === 'no_show' || status === 'cancelled'
  const rebookTaskId = isOff && addsTask ? await addRebookTask(tx, scope, locked, status) : null
  if (!isOff) await cancelRebookTask(tx, scope, before)
  const wanted = { ...before, status, rebookTaskId, cancelReason: reason, notifiesPatient: notifiesPatient ?? before.notifiesPatient }
  const row = await bookings.write(tx, scope, before, wanted)
  await updatePatientRecord(
    tx,
    scope,
    { ...locked, row },
    {
      isConsult: row.type === 'consult' && !blockingStatuses.includes(before.status) && status === 'booked',
      seenAt: status === 'completed' ? new Date(Math.min(row.startsAt.getTime(), scope.now().getTime())) : null,
      description: describeStatus(
        await withNames(tx, row),
        status,
        row.cancelReason,
        scope.env.PRACTICE_TIME_ZONE,
        isByPatient ? ' by the patient' : '',
      ),
    },
  )
  await onStatusChanged(tx, scope, row, { before: before.status, isByPatient })
  return row
}
