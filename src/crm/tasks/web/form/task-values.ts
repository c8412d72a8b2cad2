import { type Clock, formatDateTime, formatTimeOfDay, today } from '../../../../ui/format.ts'
import type { DayHours } from '../../../../platform/practice/rules.ts'
import { type TaskForm, taskForm, taskMessages } from '../../contract.ts'
import { defaultDueDate, dueAt, isOpen, settleDue } from '../../rules.ts'
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

const nowOf = (clock: Clock): Date => new Date(clock.now)

/** Spec 3, 5: due today, or the next open day once 09:00 has passed; medium, pending. */
export const blankTask = (clock: Clock, hours: readonly DayHours[], assigneeIds: string[], contactId: string | null): TaskValues => ({
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

interface Situation {
  clock: Clock
  requireContact: boolean
  /** The task as it was when the form was filled; null for a new one. */
  base: DueValues | null
}

export type CheckedTask = { ready: TaskForm } | { errors: Record<string, string> }

/** What is to be sent, or the first message of each field (spec 5). A day that has passed may stay, but not be chosen. */
export function checkTask(values: TaskValues, { clock, requireContact, base }: Situation): CheckedTask {
  const parsed = taskForm.safeParse(values)
  const errors: Record<string, string> = {}
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message
  // The time is checked once everything else is as it should be; anyone who reads the messages wants all of them.
  if (values.hasTimeConstraint && values.dueTimeConstraint === '') errors.dueTimeConstraint ??= taskMessages.time
  if (!errors.dueDate && values.dueDate < today(clock) && values.dueDate !== base?.dueDate) errors.dueDate = taskMessages.duePast
  if (parsed.data && isBornLate(parsed.data, clock) && !isDueKept(values, base)) errors.dueTimeConstraint = taskMessages.timePast
  if (requireContact && values.contactId === null) errors.contactId = taskMessages.contact
  return parsed.data && Object.keys(errors).length === 0 ? { ready: parsed.data } : { errors }
}

/** A time of today that has passed: anyone who chooses it would have a task that is late at once. */
const isBornLate = (ready: TaskForm, clock: Clock): boolean =>
  isOpen(ready.status) && ready.dueTimeConstraint !== null && ready.dueDate === today(clock) && dueAt(ready, clock.timeZone) <= nowOf(clock)

const isDueKept = (values: DueValues, base: Situation['base']): boolean =>
  base !== null &&
  values.dueDate === base.dueDate &&
  values.hasTimeConstraint === base.hasTimeConstraint &&
  values.dueTimeConstraint === base.dueTimeConstraint

/** When a task without a time is due, in words: the server fills in the same (rules.ts, settleDue). */
export function dueHint(values: DueValues, base: Situation['base'], clock: Clock, hours: readonly DayHours[]): string {
  const given = { dueDate: values.dueDate, dueTimeConstraint: null }
  const due = isDueKept(values, base) ? given : settleDue(given, nowOf(clock), clock.timeZone, hours)
  if (due.dueTimeConstraint !== null) return `Due at ${formatTimeOfDay(due.dueTimeConstraint)}, the next full hour`
  if (due.dueDate !== given.dueDate) return `Due ${formatDateTime(dueAt(due, clock.timeZone), clock)}: no full hour is left today`
  return 'Default: 9:00 a.m.'
}

/** Of what is to be sent, what was changed: what someone else has changed in the meantime is not taken back. */
export function changedOf(ready: TaskForm, base: TaskForm): Partial<TaskForm> {
  const changed = (Object.keys(ready) as (keyof TaskForm)[]).filter((key) => JSON.stringify(ready[key]) !== JSON.stringify(base[key]))
  return Object.fromEntries(changed.map((key) => [key, ready[key]])) as Partial<TaskForm>
}
