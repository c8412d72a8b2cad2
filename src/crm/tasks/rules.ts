import { dayAt, daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { type DayHours, nextOpenDay } from '../../platform/practice/rules.ts'

/** Spec 3. */
export const taskTypes = ['Call', 'Email', 'Meeting', 'Follow-up', 'Other'] as const
export type TaskType = (typeof taskTypes)[number]
export const taskPriorities = ['low', 'medium', 'high'] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** Spec 9: when a task without a time is due, on the practice's clock. */
export const defaultDueTime = '09:00'
/** Spec 9, in minutes. */
export const snoozeMinutes = 15

/** When a task is due: a calendar day, and HH:MM where it matters. */
export interface Due {
  dueDate: string
  dueTimeConstraint: string | null
}

/** The instant at which a task is due. */
export const dueAt = ({ dueDate, dueTimeConstraint }: Due, timeZone: string): Date =>
  instantOf({ day: dueDate, time: dueTimeConstraint ?? defaultDueTime }, timeZone)

/** The first full hour after now on the practice's clock, 'HH:mm'; null when none is left today. */
function nextFullHour(now: Date, timeZone: string): string | null {
  const { day, time } = toLocal(now, timeZone)
  for (let hour = Number(time.slice(0, 2)) + 1; hour < 24; hour++) {
    const at = instantOf({ day, time: `${hour}:00` }, timeZone)
    // An hour that the clocks skip is an hour later; of one that they show twice, the first may have passed.
    if (at > now) return toLocal(at, timeZone).time
  }
  return null
}

/**
 * No task starts out overdue: today without a time, once 09:00 has passed, means the next full hour, and the next open day when no full hour is
 * left. Any other due date or time stays as it was given.
 */
export function settleDue({ dueDate, dueTimeConstraint }: Due, now: Date, timeZone: string, hours: readonly DayHours[]): Due {
  const due = { dueDate, dueTimeConstraint }
  const today = dayAt(now, timeZone)
  if (dueTimeConstraint !== null || dueDate !== today || dueAt(due, timeZone) > now) return due
  const time = nextFullHour(now, timeZone)
  return time === null ? { dueDate: nextOpenDay(hours, today), dueTimeConstraint: null } : { dueDate: today, dueTimeConstraint: time }
}

/** The due date of a new task unless another is chosen: today (spec 5), and the next open day once 09:00 has passed. */
export function defaultDueDate(now: Date, timeZone: string, hours: readonly DayHours[]): string {
  const today = dayAt(now, timeZone)
  return dueAt({ dueDate: today, dueTimeConstraint: null }, timeZone) > now ? today : nextOpenDay(hours, today)
}

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
  before: { status?: TaskStatus; assigneeIds?: string[]; dueDate?: string; dueTimeConstraint?: string | null }
}
