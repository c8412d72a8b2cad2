import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { endOpenForms } from '../../chart/forms/service.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { surgeries } from '../surgeries/table.ts'
import { checkIns } from './table.ts'

/*
 * What follows a check-in. Tasks are seen by more people than answers, so they name neither an answer nor the surgery. This file imports
 * nothing of surgeries but their table, because they stop their check-ins.
 */

interface Team {
  contactId: string
  surgeonId: string | null
}

/** Gives the surgeon, or without one an administrator, a task about the patient that is due now, of which they are notified at once. */
export async function callPatient(tx: Db, scope: Scope, { contactId, surgeonId }: Team, title: string): Promise<void> {
  const admins = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    .orderBy(asc(profiles.id))
  const [first, ...others] = [...(surgeonId ? [surgeonId] : []), ...admins.map(({ id }) => id)]
  if (first === undefined) return
  const { day, time } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  await addTask(tx, scope, { title, type: 'Follow-up', dueDate: day, dueTimeConstraint: time, contactId, people: [first, ...others] })
}

/** Red flags of a check-in that was submitted: someone calls at once. Does nothing for other forms. */
export async function answerCheckIn(tx: Db, scope: Scope, formId: string): Promise<void> {
  const [found] = await tx
    .select({ id: checkIns.id, surgeryId: surgeries.id, contactId: surgeries.contactId, surgeonId: surgeries.surgeonId })
    .from(checkIns)
    .innerJoin(surgeries, eq(surgeries.id, checkIns.surgeryId))
    .where(eq(checkIns.formId, formId))
  if (!found) return
  await callPatient(tx, scope, found, 'Call the patient now about the check-in')
  await tx.update(checkIns).set({ escalatedAt: scope.now() }).where(eq(checkIns.id, found.id))
  await announce(tx, found.surgeryId)
}

const isAnswered = sql`exists (select from forms where forms.id = ${checkIns.formId} and forms.status = 'submitted')`

/** Ends the open check-ins of a surgery that is cancelled, moved to another day or not completed after all. One that is completed again is asked about again. */
export async function stopCheckIns(tx: Db, scope: Scope, surgeryId: string): Promise<void> {
  const open = await tx
    .update(checkIns)
    .set({ stoppedAt: scope.now() })
    .where(and(eq(checkIns.surgeryId, surgeryId), isNull(checkIns.stoppedAt), sql`not ${isAnswered}`))
    .returning({ formId: checkIns.formId })
  await endOpenForms(
    tx,
    scope,
    open.flatMap(({ formId }) => formId ?? []),
  )
}

/** Publishes a change to accounts that may list surgeries, as every change of a surgery. */
export const announce = (tx: Db, surgeryId: string): Promise<void> =>
  publish(tx, 'surgery', surgeryId, { accounts: [], roles: permissions['surgeries.list'] })
