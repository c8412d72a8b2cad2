import type { Scope } from '../../../kernel/scope.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { bookings } from '../bookings.ts'
import { isOpen, problemsOf } from './check.ts'
import { updatePatientRecord, withNames } from './update-record.ts'
import { describeBooking } from '../labels.ts'
import type { AppointmentType } from '../rules.ts'
import { appointments } from '../table.ts'

interface NewAppointment {
  contactId: string
  type: AppointmentType
  providerId: string | null
  roomId: string | null
  startsAt: Date
  minutes: number
  notes: string | null
  notifiesPatient: boolean
  outsideHours: boolean
  idempotencyKey: string
}

/** Books an appointment, once per idempotency key. Refuses a key that was used for something else. */
export function bookAppointment(scope: Scope, given: NewAppointment) {
  const { minutes: _, outsideHours, ...wanted } = given
  return bookings.book(
    scope,
    given,
    async (tx, columns, reserve) => {
      const invalid = await problemsOf(tx, wanted, null)
      if (invalid) return invalid
      const row = { ...wanted, ...columns }
      if (!outsideHours && !(await isOpen(tx, scope, row))) return refuse('OUTSIDE_HOURS')
      await reserve(row)
      return tx.insert(appointments).values(row).onConflictDoNothing({ target: appointments.idempotencyKey }).returning()
    },
    async (tx, locked) => {
      const description = describeBooking(await withNames(tx, locked.row), scope.env.PRACTICE_TIME_ZONE)
      await updatePatientRecord(tx, scope, locked, { isConsult: locked.row.type === 'consult', description })
    },
  )
}
