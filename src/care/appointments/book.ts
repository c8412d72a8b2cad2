import type { Scope } from '../../kernel/scope.ts'
import { refuse } from '../../kernel/refusal.ts'
import { bookings } from './bookings.ts'
import { isOpen, problemsOf } from './check.ts'
import { follow, named } from './follow.ts'
import { describeBooking } from './labels.ts'
import type { AppointmentType } from './rules.ts'
import { appointments } from './table.ts'

interface NewAppointment {
  contactId: string
  type: AppointmentType
  providerId: string | null
  roomId: string | null
  startsAt: Date
  minutes: number
  notes: string | null
  tellsPatient: boolean
  outsideHours: boolean
  idempotencyKey: string
}

/** Books an appointment, once for a key: the same key for something else is refused. */
export function bookAppointment(scope: Scope, given: NewAppointment) {
  const { minutes: _, outsideHours, ...wanted } = given
  return bookings.book(
    scope,
    given,
    async (tx, columns, take) => {
      const invalid = await problemsOf(tx, wanted, null)
      if (invalid) return invalid
      const row = { ...wanted, ...columns }
      if (!outsideHours && !(await isOpen(tx, scope, row))) return refuse('OUTSIDE_HOURS')
      await take(row)
      return tx.insert(appointments).values(row).onConflictDoNothing({ target: appointments.idempotencyKey }).returning()
    },
    async (tx, locked) => {
      const description = describeBooking(await named(tx, locked.row), scope.env.PRACTICE_TIME_ZONE)
      await follow(tx, scope, locked, { isConsult: locked.row.type === 'consult', description })
    },
  )
}
