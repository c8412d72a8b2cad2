import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { writeChange } from '../../../crm/contacts/service.ts'
import { addInteraction } from '../../../crm/interactions/service.ts'
import { stageAhead } from '../../../crm/pipeline/service.ts'
import { nextOpenDay } from '../../../platform/practice/rules.ts'
import { practiceHours } from '../../../platform/practice/table.ts'
import { addTask, assigneesFor, cancelUntouched } from '../../../crm/tasks/service.ts'
import { placeNames } from '../../reservations/service.ts'
import { announceAppointment, type Locked, type Row } from '../bookings.ts'
import { nextAppointmentChanges, nextAppointmentFields } from '../next-appointment.ts'
import { queueNotification } from '../emails/notify.ts'
import { type NamedAppointment, rebookTitle } from '../labels.ts'

/** Adds the names that a sentence about an appointment needs. */
export const withNames = async (tx: Db, { type, startsAt, ...where }: Row): Promise<NamedAppointment> => ({
  type,
  startsAt,
  ...(await placeNames(tx, where)),
})

interface RecordUpdate {
  /** A consult was booked: moves the patient to Consult Booked unless they are at a later stage. */
  isConsult?: boolean
  /** The start before the change. */
  previousStart?: Date | undefined
  /** When the patient was seen. */
  seenAt?: Date | null
  /** The timeline entry; null for none. */
  description: string | null
}

/** Updates the locked patient's next appointment, stage, last contact and timeline, and publishes the patient and the appointment. */
export async function updatePatientRecord(
  tx: Db,
  scope: Scope,
  { row, contact }: Locked,
  { isConsult, previousStart, seenAt, description }: RecordUpdate,
): Promise<void> {
  const stageId = isConsult ? await stageAhead(tx, contact.funnelStageId, 'consult_booked') : null
  const { lastContactDate } = contact
  const isLatestContact = seenAt && (!lastContactDate || lastContactDate < seenAt)
  const changed = {
    ...(await nextAppointmentChanges(tx, scope, contact, previousStart)),
    ...(stageId ? { funnelStageId: stageId } : {}),
    ...(isLatestContact ? { lastContactDate: seenAt } : {}),
  }
  if (Object.keys(changed).length > 0) await writeChange(tx, scope, contact, changed, [...nextAppointmentFields, 'lastContactDate'])
  else if (description !== null) await publish(tx, 'contact', contact.id)
  const metadata = { appointmentId: row.id }
  if (description !== null) await addInteraction(tx, scope, { contactId: contact.id, type: 'meeting', description, metadata })
  await announceAppointment(tx, row.id)
  if (row.notifiesPatient) await queueNotification(tx, scope, row.id)
}

/**
 * Creates the rebooking task for the patient's sales rep, or else for the actor; if the patient cancelled, for who booked or the front desk. Returns
 * its id.
 */
export async function addRebookTask(tx: Db, scope: Scope, { row, contact }: Locked, status: 'no_show' | 'cancelled'): Promise<string> {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const hours = await tx.select().from(practiceHours)
  const { assignedSalesRepId } = contact
  const me = scope.actor ? staff(scope).id : (await assigneesFor(tx, [row.createdBy]))[0]
  return addTask(tx, scope, {
    title: rebookTitle(row, status, zone),
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), zone)),
    contactId: contact.id,
    people: assignedSalesRepId ? [assignedSalesRepId, me] : [me],
  })
}

export const cancelRebookTask = async (tx: Db, scope: Scope, { rebookTaskId }: Row): Promise<void> => {
  if (rebookTaskId) await cancelUntouched(tx, scope, rebookTaskId)
}
