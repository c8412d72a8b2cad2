import { type Clock, formatDateTime, formatTimeOfDay, today } from '../../../../ui/format.ts'
import type { DayHours } from '../../../../platform/practice/rules.ts'
import { type TaskForm, taskForm, taskMessages } from '../../contract.ts'
import { defaultDueDate, dueAt, isOpen, adjustDue } from '../../rules.ts'
import type { TaskData } from '../task-data.ts'

/** The values of the form; empty fields are ''. */
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

const nowOf = (clock: Clock): Date => new Date(clock.now)

/** The values of a new task: due today, or on the next open day once 09:00 has passed; medium, pending (spec 3, 5). */
export const emptyTask = (clock: Clock, hours: readonly DayHours[], assigneeIds: string[], contactId: string | null): TaskValues => ({
  title: '',
  description: '',
  type: 'Call',
  dueDate: defaultDueDate(nowOf(clock), clock.timeZone, hours),
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

type DueValues = Pick<TaskValues, 'dueDate' | 'hasTimeConstraint' | 'dueTimeConstraint'>

interface CheckContext {
  clock: Clock
  requireContact: boolean
  /** The task that the form was filled from; null for a new one. */
  base: DueValues | null
}

export type CheckedTask = { ready: TaskForm } | { errors: Record<string, string> }

/** The validated task, or the first message of each field (spec 5). A due date in the past may be kept, but not chosen. */
export function checkTask(values: TaskValues, { clock, requireContact, base }: CheckContext): CheckedTask {
  const parsed = taskForm.safeParse(values)
  const errors: Record<string, string> = {}
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message
  // The schema checks the time only if all other fields are valid, but all messages should be shown at once.
  if (values.hasTimeConstraint && values.dueTimeConstraint === '') errors.dueTimeConstraint ??= taskMessages.time
  if (!errors.dueDate && values.dueDate < today(clock) && values.dueDate !== base?.dueDate) errors.dueDate = taskMessages.duePast
  if (parsed.data && isTimePast(parsed.data, clock) && !isDueUnchanged(values, base)) errors.dueTimeConstraint = taskMessages.timePast
  if (requireContact && values.contactId === null) errors.contactId = taskMessages.contact
  return parsed.data && Object.keys(errors).length === 0 ? { ready: parsed.data } : { errors }
}

/** Whether the chosen time has passed today, which would make the task overdue at once. */
const isTimePast = (ready: TaskForm, clock: Clock): boolean =>
  isOpen(ready.status) && ready.dueTimeConstraint !== null && ready.dueDate === today(clock) && dueAt(ready, clock.timeZone) <= nowOf(clock)

const isDueUnchanged = (values: DueValues, base: CheckContext['base']): boolean =>
  base !== null &&
  values.dueDate === base.dueDate &&
  values.hasTimeConstraint === base.hasTimeConstraint &&
  values.dueTimeConstraint === base.dueTimeConstraint

/** Describes when a task without a time is due. The server resolves it the same way (rules.ts, adjustDue). */
export function dueHint(values: DueValues, base: CheckContext['base'], clock: Clock, hours: readonly DayHours[]): string {
  const given = { dueDate: values.dueDate, dueTimeConstraint: null }
  const due = isDueUnchanged(values, base) ? given : adjustDue(given, nowOf(clock), clock.timeZone, hours)
  if (due.dueTimeConstraint !== null) return `Due at ${formatTimeOfDay(due.dueTimeConstraint)}, the next full hour`
  if (due.dueDate !== given.dueDate) return `Due ${formatDateTime(dueAt(due, clock.timeZone), clock)}: no full hour is left today`
  return 'Default: 9:00 a.m.'
}

/** The changed fields only, so that someone else's changes to other fields are not overwritten. */
export function changedFields(ready: TaskForm, base: TaskForm): Partial<TaskForm> {
  const changed = (Object.keys(ready) as (keyof TaskForm)[]).filter((key) => JSON.stringify(ready[key]) !== JSON.stringify(base[key]))
  return Object.fromEntries(changed.map((key) => [key, ready[key]])) as Partial<TaskForm>
}
