import type { z } from 'zod'
import type { ListExport } from '../../platform/list-export.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { type Task, taskListInput } from './contract.ts'
import { listTasks } from './read.ts'

const input = taskListInput.omit({ page: true, limit: true })
const batchSize = 100

const columns: Record<string, (task: Task, timeZone: string) => string> = {
  Title: ({ title }) => title,
  Type: ({ type }) => type,
  Priority: ({ priority }) => priority,
  Status: ({ status }) => status,
  'Due date': ({ dueDate }) => dueDate,
  'Due time': ({ dueTimeConstraint }) => dueTimeConstraint ?? '',
  Patient: ({ contact }) => (contact ? `${contact.firstName} ${contact.lastName}`.trim() : ''),
  Assignees: ({ assignees }) => assignees.map(({ fullName }) => fullName).join('; '),
  Description: ({ description }) => description ?? '',
  Created: ({ createdAt }, timeZone) => toLocal(createdAt, timeZone).day,
  Completed: ({ completedAt }, timeZone) => (completedAt ? toLocal(completedAt, timeZone).day : ''),
}

/** GET /api/tasks.csv or .xlsx with the list's filters: the tasks that the actor sees. */
export const tasksExport: ListExport<z.output<typeof input>> = {
  name: 'tasks',
  kind: 'task',
  input,
  head: () => Object.keys(columns),
  async *read(scope, filters) {
    for (let page = 1; ; page++) {
      const { data } = await listTasks(scope, { ...filters, page, limit: batchSize })
      yield {
        rows: data.map((task) => Object.values(columns).map((cell) => cell(task, scope.env.PRACTICE_TIME_ZONE))),
        contactIds: data.flatMap(({ contactId }) => contactId ?? []),
      }
      if (data.length < batchSize) return
    }
  },
}
