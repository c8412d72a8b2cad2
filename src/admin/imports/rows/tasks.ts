import { sql } from 'drizzle-orm'
import { addImportedTasks, assignablePeople, type ImportedTask, removeUntouchedTasks } from '../../../crm/tasks/service.ts'
import { dueAt } from '../../../crm/tasks/rules.ts'
import { taskRows } from './record-rows.ts'
import type { KeptRecord, ReadyRow, RecordTable } from './records.ts'
import type { RowValues } from '../reading/rows.ts'

/** The task of a row, with the form's defaults for missing values. */
function toTask({ row: { values }, contactId, id }: ReadyRow, now: Date): ImportedTask {
  const task = { description: null, type: 'Other', priority: 'medium', status: 'pending', ...values } as unknown as ImportedTask & RowValues
  const { title, description, type, priority, status, dueDate, completedDate } = task
  const completedAt = status === 'completed' ? (typeof completedDate === 'string' ? new Date(completedDate) : now) : null
  const assigneeIds = values.assignees as string[]
  return {
    id,
    title,
    description,
    type,
    priority,
    status,
    dueDate,
    dueTimeConstraint: getDueTime(values),
    completedAt,
    contactId,
    assigneeIds,
  }
}

const getDueTime = ({ dueTime }: RowValues): string | null => (typeof dueTime === 'string' ? dueTime : null)

/** Tasks from the previous system. They need not belong to a patient. */
export const taskRecords: RecordTable = {
  kind: 'tasks',
  rules: async (scope) =>
    taskRows(
      (await assignablePeople(scope)).map(({ id, email, fullName }) => ({ id, email, name: fullName })),
      scope.env.PRACTICE_TIME_ZONE,
    ),
  keyOf: ({ title, dueDate, dueTime, assignees }) => [String(title).toLowerCase(), dueDate, dueTime ?? null, assignees],
  async known(tx, { env }, rows) {
    const given = rows.map(({ row: { values }, contactId, id }, place) => {
      const [dueDate, dueTimeConstraint] = [values.dueDate as string, getDueTime(values)]
      const due = dueAt({ dueDate, dueTimeConstraint }, env.PRACTICE_TIME_ZONE)
      return { place, id, contactId, title: values.title, due, time: dueTimeConstraint, first: (values.assignees as string[])[0] }
    })
    const isSame = sql`tasks.due_at = given.due and lower(tasks.title) = lower(given.title)
      and tasks.due_time_constraint is not distinct from given.time and tasks.assigned_to = given.first`
    const { rows: found } = await tx.execute<{ place: number; id: string }>(sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          as given(place int, id uuid, "contactId" uuid, title text, due timestamptz, time text, first uuid)
      )
      select place, tasks.id from given join tasks on tasks.contact_id = given."contactId" and ${isSame}
      union all
      select place, tasks.id from given join tasks on given."contactId" is null and tasks.contact_id is null and ${isSame}
      union all
      select place, tasks.id from given join tasks on tasks.id = given.id`)
    return new Map(found.map(({ place, id }) => [rows[place]!, id]))
  },
  async add(tx, scope, _job, rows) {
    const tasks = rows.map((row) => toTask(row, scope.now()))
    await addImportedTasks(tx, scope, tasks)
    return tasks.map(({ id }) => ({ id }))
  },
  async remove(tx, scope, _job, ids) {
    const { touched, gone } = await removeUntouchedTasks(tx, scope, ids)
    return new Map<string, KeptRecord>([
      ...[...touched].map(([id, name]) => [id, { name, note: 'Someone has changed this task since' }] as const),
      ...[...gone].map((id) => [id, { name: '', note: 'This task has been deleted since' }] as const),
    ])
  },
}
