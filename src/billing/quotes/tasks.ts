import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { lock, type Locked } from './lock.ts'
import { quoteName } from './rules.ts'

/** Creates a follow-up task for a patient's portal response. */
export function addFollowUp(tx: Db, scope: Scope, locked: Locked): Promise<void> {
  const isAccepted = locked.row.status === 'accepted'
  return addTaskFor(
    tx,
    scope,
    locked,
    isAccepted ? 'accepted in the portal: plan what comes next' : 'declined in the portal: call the patient',
  )
}

/** Creates a follow-up task for a payment of an accepted quote by card. @param payment whose reference is the quote. */
export async function followUpPayment(tx: Db, scope: Scope, { referenceId }: { referenceId: string }): Promise<void> {
  const locked = await lock(tx, referenceId)
  if (locked) await addTaskFor(tx, scope, locked, 'paid by card: plan what comes next')
}

/** Due the next open day, for the patient's owner or the sender. */
export async function addTaskFor(tx: Db, scope: Scope, { row, contact }: Locked, outcome: string): Promise<void> {
  const people = [contact.assignedSalesRepId, row.sentBy, row.createdBy].filter((id) => id !== null)
  const [first, ...rest] = people
  if (!first) return
  const hours = await tx.select().from(practiceHours)
  await addTask(tx, scope, {
    // The title is sent by email, so it doesn't name the patient.
    title: `${quoteName(row)} ${outcome}`,
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId: contact.id,
    people: [first, ...rest],
  })
}
