import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import type { Locked } from './lock.ts'
import { quoteName } from './rules.ts'

/** Creates a follow-up task for a patient's portal response, due the next open day, for the patient's owner or the sender. */
export async function addFollowUp(tx: Db, scope: Scope, { row, contact }: Locked): Promise<void> {
  const people = [contact.assignedSalesRepId, row.sentBy, row.createdBy].filter((id) => id !== null)
  const [first, ...rest] = people
  if (!first) return
  const hours = await tx.select().from(practiceHours)
  const outcome = row.status === 'accepted' ? 'accepted in the portal: plan what comes next' : 'declined in the portal: call the patient'
  await addTask(tx, scope, {
    // The title is sent by email, so it doesn't name the patient.
    title: `${quoteName(row)} ${outcome}`,
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId: contact.id,
    people: [first, ...rest],
  })
}
