import { daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'

/** Spec 3. */
export const taskTypes = ['Call', 'Email', 'Meeting', 'Follow-up', 'Other'] as const
export type TaskType = (typeof taskTypes)[number]
export const taskPriorities = ['low', 'medium', 'high'] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** Spec 9: when a task without a time is due, on the practice's clock. */
export const usualDueTime = '09:00'
/** Spec 9, in minutes. */
export const snoozeMinutes = 15

/** When a task is due: a calendar day, and HH:MM where it matters. */
export interface Due {
  dueDate: string
  dueTimeConstraint: string | null
}

/** The instant at which a task is due. */
export const dueAt = ({ dueDate, dueTimeConstraint }: Due, timeZone: string): Date =>
  instantOf({ day: dueDate, time: dueTimeConstraint ?? usualDueTime }, timeZone)

export const isOpen = (status: TaskStatus): boolean => status === 'pending' || status === 'in_progress'

/** Product decision: not completed, not cancelled, due. */
export const isOverdue = (task: { status: TaskStatus; dueAt: Date }, now: Date): boolean => isOpen(task.status) && task.dueAt <= now

/** Spec 4: what follows from a task's status. A task that is completed already keeps its moment. */
export function completion(status: TaskStatus, before: Date | null, now: Date): { completed: boolean; completedAt: Date | null } {
  const completed = status === 'completed'
  return { completed, completedAt: completed ? (before ?? now) : null }
}

/**
 * Spec 4: the task's due time (09:00 unless it has one), on today's date, and so many minutes more. Past midnight, the date moves too. What comes
 * of it is the due time; a task of an earlier day keeps its date and stays late. `remindAt`: not before the minutes are over.
 */
export function snoozed(task: Due, minutes: number, now: Date, timeZone: string): Due & { dueAt: Date; remindAt: Date } {
  const today = toLocal(now, timeZone).day
  const moved = new Date(dueAt({ ...task, dueDate: today }, timeZone).getTime() + minutes * 60_000)
  const { day, time } = toLocal(moved, timeZone)
  const keepsDate = day === today && task.dueDate !== today
  const due = { dueDate: keepsDate ? task.dueDate : day, dueTimeConstraint: time }
  // The clocks show an hour twice in autumn: the moment itself is kept, not only what they show.
  const at = keepsDate ? dueAt(due, timeZone) : moved
  return { ...due, dueAt: at, remindAt: new Date(Math.max(at.getTime(), now.getTime() + minutes * 60_000)) }
}

/** The instants between which a task is due today. */
export function todaysBounds(now: Date, timeZone: string): { from: Date; to: Date } {
  const { day } = toLocal(now, timeZone)
  return { from: instantOf({ day, time: '00:00' }, timeZone), to: instantOf({ day: daysLater(day, 1), time: '00:00' }, timeZone) }
}

/** A task as a change has left it, and what it was before. */
export interface ChangedBefore {
  id: string
  /** After the change: a task that has another one by now was changed again. */
  version: number
  before: { status?: TaskStatus; assigneeIds?: string[]; dueDate?: string }
}
