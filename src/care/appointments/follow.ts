import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { stageAhead } from '../../crm/pipeline/service.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { addTask, cancelUntouched } from '../../crm/tasks/service.ts'
import { namesOfPlace } from '../reservations/service.ts'
import { announceAppointment, type Locked, type Row } from './bookings.ts'
import { mirrored, mirrorFields } from './mirror.ts'
import { queueNews } from './notify.ts'
import { type Named, rebookTitle } from './labels.ts'

/** An appointment as a sentence names it. */
export const named = async (tx: Db, { type, startsAt, ...where }: Row): Promise<Named> => ({
  type,
  startsAt,
  ...(await namesOfPlace(tx, where)),
})

interface Followed {
  /** A consult has been booked: the patient's stage is Consult Booked, unless they are further than that. */
  isConsult?: boolean
  /** When the appointment began before the change. */
  was?: Date | undefined
  /** The patient has been seen. */
  seenAt?: Date | null
  /** The timeline's line; null: none. */
  description: string | null
}

/** What follows from an appointment on its patient's record, who is locked: the next appointment, stage, last contact, timeline. Announces both. */
export async function follow(
  tx: Db,
  scope: Scope,
  { row, contact }: Locked,
  { isConsult, was, seenAt, description }: Followed,
): Promise<void> {
  const stageId = isConsult ? await stageAhead(tx, contact.funnelStageId, 'consult_booked') : null
  const { lastContactDate } = contact
  const isLater = seenAt && (!lastContactDate || lastContactDate < seenAt)
  const changed = {
    ...(await mirrored(tx, scope, contact, was)),
    ...(stageId ? { funnelStageId: stageId } : {}),
    ...(isLater ? { lastContactDate: seenAt } : {}),
  }
  if (Object.keys(changed).length > 0) await writeChange(tx, scope, contact, changed, [...mirrorFields, 'lastContactDate'])
  else if (description !== null) await publish(tx, 'contact', contact.id)
  const metadata = { appointmentId: row.id }
  if (description !== null) await addInteraction(tx, scope, { contactId: contact.id, type: 'meeting', description, metadata })
  await announceAppointment(tx, row.id)
  if (row.tellsPatient) await queueNews(tx, scope, row.id)
}

/** The task to book again, for anyone who looks after the patient. Answers its id. */
export async function addRebooking(tx: Db, scope: Scope, { row, contact }: Locked, status: 'no_show' | 'cancelled'): Promise<string> {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const hours = await tx.select().from(practiceHours)
  const me = staff(scope).id
  return addTask(tx, scope, {
    title: rebookTitle(row, status, zone),
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), zone)),
    contactId: contact.id,
    people: contact.assignedSalesRepId ? [contact.assignedSalesRepId, me] : [me],
  })
}

export const dropRebooking = async (tx: Db, scope: Scope, { rebookTaskId }: Row): Promise<void> => {
  if (rebookTaskId) await cancelUntouched(tx, scope, rebookTaskId)
}
