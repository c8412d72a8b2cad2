import { type TaskForm, taskForm, taskMessages } from '../../contract.ts'
import type { TaskData } from '../task-data.ts'

/** The form's fields as they are typed: what is empty is ''. */
export interface TaskValues {
  title: string
  description: string
  type: TaskForm['type']
  dueDate: string
  hasTimeConstraint: boolean
  dueTimeConstraint: string
  priority: TaskForm['priority']
  status: TaskForm['status']
  assigneeIds: string[]
  contactId: string | null
}

/** Spec 3, 5: due today, medium, pending. */
export const blankTask = (today: string, assigneeIds: string[], contactId: string | null): TaskValues => ({
  title: '',
  description: '',
  type: 'Call',
  dueDate: today,
  hasTimeConstraint: false,
  dueTimeConstraint: '',
  priority: 'medium',
  status: 'pending',
  assigneeIds,
  contactId,
})

export const valuesOf = (task: TaskData): TaskValues => ({
  title: task.title,
  description: task.description ?? '',
  type: task.type,
  dueDate: task.dueDate,
  hasTimeConstraint: task.dueTimeConstraint !== null,
  dueTimeConstraint: task.dueTimeConstraint ?? '',
  priority: task.priority,
  status: task.status,
  assigneeIds: task.assignees.map(({ id }) => id),
  contactId: task.contactId,
})

interface Situation {
  /** Today at the practice, 'yyyy-MM-dd'. */
  today: string
  requireContact: boolean
  /** The task as it was when the form was filled; null for a new one. */
  base: Pick<TaskValues, 'dueDate'> | null
}

export type CheckedTask = { ready: TaskForm } | { errors: Record<string, string> }

/** What is to be sent, or the first message of each field (spec 5). A day that has passed may stay, but not be chosen. */
export function checkTask(values: TaskValues, { today, requireContact, base }: Situation): CheckedTask {
  const parsed = taskForm.safeParse(values)
  const errors: Record<string, string> = {}
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message
  // The time is checked once everything else is as it should be; whoever reads the messages wants all of them.
  if (values.hasTimeConstraint && values.dueTimeConstraint === '') errors.dueTimeConstraint ??= taskMessages.time
  if (!errors.dueDate && values.dueDate < today && values.dueDate !== base?.dueDate) errors.dueDate = taskMessages.duePast
  if (requireContact && values.contactId === null) errors.contactId = taskMessages.contact
  return parsed.data && Object.keys(errors).length === 0 ? { ready: parsed.data } : { errors }
}

/** Of what is to be sent, what was changed: what somebody else has changed meanwhile is not taken back. */
export function changedOf(ready: TaskForm, base: TaskForm): Partial<TaskForm> {
  const changed = (Object.keys(ready) as (keyof TaskForm)[]).filter((key) => JSON.stringify(ready[key]) !== JSON.stringify(base[key]))
  return Object.fromEntries(changed.map((key) => [key, ready[key]])) as Partial<TaskForm>
}
