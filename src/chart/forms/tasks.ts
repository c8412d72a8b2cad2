import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import type { FormRow } from './sending.ts'

/**
 * Creates a task for the sender of a form whose answers need follow-up, due the next open day. It is emailed and seen by other roles, so it names
 * neither the form nor an answer.
 */
export async function addFollowUp(tx: Db, scope: Scope, { sentBy, contactId }: FormRow): Promise<void> {
  if (sentBy === null) return
  const hours = await tx.select().from(practiceHours)
  await addTask(tx, scope, {
    title: 'A submitted form needs follow-up',
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId,
    people: [sentBy],
  })
}
