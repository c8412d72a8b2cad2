import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Overlap, unlessTaken } from '../reservations/service.ts'
import { type FieldErrors, isOpen, problemsOf } from './check.ts'
import { type Appointment, appointmentMessages } from './contract.ts'
import { follow, named } from './follow.ts'
import { holdContact } from './lock.ts'
import { getAppointment } from './read.ts'
import type { AppointmentType } from './rules.ts'
import { appointments } from './table.ts'
import { describeBooking } from './labels.ts'

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

type Booked = Appointment | FieldErrors | Overlap | 'outside-hours' | 'key-reused'

/** Books an appointment, once for a key: the same key for something else is refused. */
export async function bookAppointment(scope: Scope, { idempotencyKey, ...given }: NewAppointment): Promise<Booked> {
  const payloadHash = createHash('sha256').update(JSON.stringify(given)).digest('hex')
  const { minutes, outsideHours, ...wanted } = given
  const endsAt = new Date(wanted.startsAt.getTime() + minutes * 60_000)

  /** What the key stands for already. */
  const again = async (tx: Db): Promise<Appointment | 'key-reused' | null> => {
    const [row] = await tx
      .select({ id: appointments.id, payloadHash: appointments.payloadHash })
      .from(appointments)
      .where(eq(appointments.idempotencyKey, idempotencyKey))
    return row ? (row.payloadHash === payloadHash ? getAppointment(tx, row.id) : 'key-reused') : null
  }

  return unlessTaken(scope, async (tx, take): Promise<Booked> => {
    const contact = await holdContact(tx, wanted.contactId)
    // Looked for once the patient is locked: the same click may have come twice at once.
    const known = await again(tx)
    if (known) return known
    if (!contact) return { invalid: { contactId: appointmentMessages.noPatient } }
    const invalid = await problemsOf(tx, wanted, null)
    if (invalid) return invalid
    if (!outsideHours && !(await isOpen(tx, scope, { startsAt: wanted.startsAt, endsAt }))) return 'outside-hours'

    const [id, now] = [uuidv7(), scope.now()]
    await take({ ...wanted, id, endsAt })
    const [row] = await tx
      .insert(appointments)
      .values({ ...wanted, id, endsAt, idempotencyKey, payloadHash, createdBy: staff(scope).id, createdAt: now, updatedAt: now })
      .onConflictDoNothing({ target: appointments.idempotencyKey })
      .returning()
    if (!row) return (await again(tx))!
    await recordChange(tx, scope, { action: 'created', kind: 'appointment', contactIds: [contact.id], after: row })
    const told = describeBooking(await named(tx, row), scope.env.PRACTICE_TIME_ZONE)
    await follow(tx, scope, { row, contact }, { isConsult: row.type === 'consult', told })
    return (await getAppointment(tx, id))!
  })
}
