import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import type { Locked } from './lock.ts'
import { quoteName } from './rules.ts'

/** What a patient has said in the portal is followed up on the next open day, by who looks after them or by who sent the quote. */
export async function addFollowUp(tx: Db, scope: Scope, { row, contact }: Locked): Promise<void> {
  const people = [contact.assignedSalesRepId, row.sentBy, row.createdBy].filter((id) => id !== null)
  const [first, ...rest] = people
  if (!first) return
  const hours = await tx.select().from(practiceHours)
  const said = row.status === 'accepted' ? 'accepted in the portal: plan what comes next' : 'declined in the portal: call the patient'
  await addTask(tx, scope, {
    // The title goes out by mail, and so names no patient.
    title: `${quoteName(row)} ${said}`,
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId: contact.id,
    people: [first, ...rest],
  })
}
