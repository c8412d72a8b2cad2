import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { invalidReference, isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { NewColumns, Reserve } from '../../reservations/service.ts'
import { bookings, type Locked } from '../bookings.ts'
import { checkPlace, fillVisit, isOpen } from './check.ts'
import { updatePatientRecord, withNames } from './update-record.ts'
import { appointmentMessages } from '../contract.ts'
import { describeBooking } from '../labels.ts'
import type { AppointmentType } from '../rules.ts'
import { appointments } from '../table.ts'

export interface NewAppointment {
  contactId: string
  type: AppointmentType
  providerId: string | null
  roomId: string | null
  visitTypeId: string | null
  secondPersonId: string | null
  /** The series that it belongs to; undefined: none. */
  series?: { id: string; number: number; visits: number }
  startsAt: Date
  minutes: number
  notes: string | null
  notifiesPatient: boolean
  /** Booked, unless the patient has paid for it. */
  status?: 'confirmed'
  outsideHours: boolean
  idempotencyKey: string
}

/**
 * Books an appointment, once per idempotency key. Refuses a key that was used for something else. With a visit type, who and what is not given
 * is chosen.
 */
export const bookAppointment = (scope: Scope, given: NewAppointment) =>
  bookings.book(scope, given, inserting(scope, given), recording(scope))

/** Books what a patient chose themselves, in the caller's `withReservation`. */
export const bookForPatient = (tx: Db, reserve: Reserve, scope: Scope, given: NewAppointment) =>
  bookings.bookWithin(tx, reserve, scope, given, inserting(scope, given), recording(scope, ' by the patient'))

export function inserting(scope: Scope, { minutes: _, outsideHours, series, ...wanted }: NewAppointment) {
  return async (tx: Db, columns: NewColumns, reserve: Reserve) => {
    const type = await checkPlace(tx, wanted, null)
    if (isRefusal(type)) return type
    if (series && type?.seriesVisits !== series.visits) return invalidReference({ starts: appointmentMessages.noSeries })
    const ofSeries = series && { seriesId: series.id, seriesNumber: series.number, seriesVisits: series.visits }
    const asked = { ...wanted, ...columns, ...ofSeries }
    if (!type && !outsideHours && !(await isOpen(tx, scope, asked))) return refuse('OUTSIDE_HOURS')
    const chosen = type && (await fillVisit(tx, scope, type, asked, outsideHours))
    if (isRefusal(chosen)) return chosen
    const row = { ...asked, ...chosen }
    await reserve(row)
    return tx.insert(appointments).values(row).onConflictDoNothing({ target: appointments.idempotencyKey }).returning()
  }
}

export const recording =
  (scope: Scope, by = '') =>
  async (tx: Db, locked: Locked): Promise<void> => {
    const description = describeBooking(await withNames(tx, locked.row), scope.env.PRACTICE_TIME_ZONE, by)
    await updatePatientRecord(tx, scope, locked, { isConsult: locked.row.type === 'consult', description })
  }
