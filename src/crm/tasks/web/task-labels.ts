import type { TaskPriority, TaskStatus, TaskType } from '../rules.ts'

export const statusLabels: Record<TaskStatus, string> = {
  pending: 'Pending',
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
}

export const priorityLabels: Record<TaskPriority, string> = { low: 'Low', medium: 'Medium', high: 'High' }

export const typeLabels: Record<TaskType, string> = {
  Call: 'Call',
  Email: 'Email',
  Meeting: 'Meeting',
  'Follow-up': 'Follow-up',
  Other: 'Other',
}

/** Converts labels to the options of a Select. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>): { value: Value; label: string }[] =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }))
