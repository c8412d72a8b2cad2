import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChanges } from '../../platform/audit/service.ts'
import { addEntries } from '../interactions/service.ts'
import { removeForTasks } from '../notifications/service.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { dueAt, isOpen, adjustDue, type TaskPriority, type TaskStatus, type TaskType } from './rules.ts'
import { taskAssignees, tasks } from './table.ts'

export type ImportedTask = {
  id: string
  title: string
  description: string | null
  type: TaskType
  priority: TaskPriority
  status: TaskStatus
  dueDate: string
  dueTimeConstraint: string | null
  completedAt: Date | null
  contactId: string | null
  /** The first one is `assignedTo`. */
  assigneeIds: readonly string[]
}

/**
 * Adds tasks from an import in a few statements. They may be long overdue, so no reminders are created for tasks that are already due, and
 * no emails are sent, as there may be hundreds. The caller publishes the changes of the patients.
 */
export async function addImportedTasks(tx: Db, scope: Scope, imported: readonly ImportedTask[]): Promise<void> {
  if (imported.length === 0) return
  const now = scope.now()
  const by = scope.actor?.id ?? null
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const hours = await tx.select().from(practiceHours)
  const rows = imported.map((given) => {
    const task = isOpen(given.status) ? { ...given, ...adjustDue(given, now, zone, hours) } : given
    const due = dueAt(task, zone)
    return { ...task, dueAt: due, isDue: due <= now }
  })
  await tx.execute(sql`
    insert into tasks (id, title, description, type, priority, status, due_date, due_time_constraint, due_at, remind_at, notification_sent,
      completed, completed_at, contact_id, assigned_to, created_by, created_at, updated_at)
    select id, title, description, type, priority, status, "dueDate", "dueTimeConstraint", "dueAt", "dueAt", "isDue",
      status = 'completed', "completedAt", "contactId", ("assigneeIds"->>0)::uuid, ${by}::uuid, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as task(id uuid, title text, description text, type text, priority text, status text,
      "dueDate" date, "dueTimeConstraint" text, "dueAt" timestamptz, "isDue" boolean, "completedAt" timestamptz, "contactId" uuid, "assigneeIds" jsonb)`)
  await tx.execute(sql`
    insert into task_assignees (task_id, profile_id, position)
    select task.id, person.id::uuid, person.place - 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as task(id uuid, "assigneeIds" jsonb),
      jsonb_array_elements_text(task."assigneeIds") with ordinality as person(id, place)`)
  await addEntries(
    tx,
    imported.flatMap(({ id, contactId, title }) =>
      contactId === null
        ? []
        : [{ contactId, type: 'task' as const, description: `Task created: ${title}`, date: now, createdBy: by, metadata: { taskId: id } }],
    ),
  )
  await recordChanges(
    tx,
    scope,
    imported.map((task) => ({ action: 'created' as const, kind: 'task', contactIds: patientsOf(task), after: task })),
  )
  const [first] = imported
  await publishTasks(
    tx,
    first!.id,
    imported.flatMap(({ assigneeIds }) => assigneeIds),
  )
}

const patientsOf = ({ contactId }: { contactId: string | null }): string[] => (contactId === null ? [] : [contactId])

/** Publishes one event for all tasks, as lists refetch anyway, and only to people who may see them (spec 6). */
const publishTasks = (tx: Db, id: string, accounts: readonly string[]): Promise<void> =>
  publish(tx, 'task', id, { accounts: [...new Set(accounts)], roles: ['admin', 'sales_rep'] })

/**
 * Deletes tasks that no one has changed since they were added, with their timeline entries. Returns the changed ones, which are kept, and
 * the missing ids.
 */
export async function removeUntouchedTasks(
  tx: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<{ touched: Map<string, string>; gone: Set<string> }> {
  const rows = await tx
    .select()
    .from(tasks)
    .where(inArray(tasks.id, [...ids]))
    .orderBy(tasks.id)
    .for('update')
  const removed = rows.filter(({ version }) => version === 1)
  const removedIds = removed.map(({ id }) => id)
  const people = await tx.select().from(taskAssignees).where(inArray(taskAssignees.taskId, removedIds))
  await removeForTasks(tx, removedIds)
  const isOfPatients = sql`contact_id = any(${sql.param(removed.flatMap(patientsOf))}::uuid[])`
  await tx.execute(
    sql`delete from interactions where ${isOfPatients} and type = 'task' and metadata->>'taskId' = any(${sql.param(removedIds)}::text[])`,
  )
  await tx.delete(tasks).where(inArray(tasks.id, removedIds))
  await recordChanges(
    tx,
    scope,
    removed.map((row) => ({ action: 'deleted' as const, kind: 'task', contactIds: patientsOf(row), before: row })),
  )
  const existing = new Set(rows.map(({ id }) => id))
  if (removedIds[0])
    await publishTasks(
      tx,
      removedIds[0],
      people.map(({ profileId }) => profileId),
    )
  return {
    touched: new Map(rows.filter(({ version }) => version !== 1).map(({ id, title }) => [id, title])),
    gone: new Set(ids.filter((id) => !existing.has(id))),
  }
}
