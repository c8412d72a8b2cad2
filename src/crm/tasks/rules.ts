import { dayAt, daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { type DayHours, nextOpenDay } from '../../platform/practice/rules.ts'

/** The task types of spec 3. */
export const taskTypes = ['Call', 'Email', 'Meeting', 'Follow-up', 'Other'] as const
export type TaskType = (typeof taskTypes)[number]
export const taskPriorities = ['low', 'medium', 'high'] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** When a task without a time is due, in the practice's time zone (spec 9). */
export const defaultDueTime = '09:00'
/** The length of a snooze in minutes (spec 9). */
export const snoozeMinutes = 15

/** When a task is due: a calendar day and an optional HH:MM. */
export interface Due {
  dueDate: string
  dueTimeConstraint: string | null
}

/** The instant when a task is due. */
export const dueAt = ({ dueDate, dueTimeConstraint }: Due, timeZone: string): Date =>
  instantOf({ day: dueDate, time: dueTimeConstraint ?? defaultDueTime }, timeZone)

/** The next full hour in the practice's time zone as 'HH:mm'. Null: none is left today. */
function nextFullHour(now: Date, timeZone: string): string | null {
  const { day, time } = toLocal(now, timeZone)
  for (let hour = Number(time.slice(0, 2)) + 1; hour < 24; hour++) {
    const at = instantOf({ day, time: `${hour}:00` }, timeZone)
    // A skipped hour resolves to an hour later. Of a repeated hour, the first may have passed.
    if (at > now) return toLocal(at, timeZone).time
  }
  return null
}

/**
 * Makes sure that no task is overdue from the start: a task due today without a time, after 09:00, is due at the next full hour, or on the
 * next open day if none is left. Any other due date or time is kept.
 */
export function adjustDue({ dueDate, dueTimeConstraint }: Due, now: Date, timeZone: string, hours: readonly DayHours[]): Due {
  const due = { dueDate, dueTimeConstraint }
  const today = dayAt(now, timeZone)
  if (dueTimeConstraint !== null || dueDate !== today || dueAt(due, timeZone) > now) return due
  const time = nextFullHour(now, timeZone)
  return time === null ? { dueDate: nextOpenDay(hours, today), dueTimeConstraint: null } : { dueDate: today, dueTimeConstraint: time }
}

/** The default due date of a new task: today (spec 5), or the next open day once 09:00 has passed. */
export function defaultDueDate(now: Date, timeZone: string, hours: readonly DayHours[]): string {
  const today = dayAt(now, timeZone)
  return dueAt({ dueDate: today, dueTimeConstraint: null }, timeZone) > now ? today : nextOpenDay(hours, today)
}

export const isOpen = (status: TaskStatus): boolean => status === 'pending' || status === 'in_progress'

/** Whether a task is due, not completed and not cancelled (PRODUCT.md). */
export const isOverdue = (task: { status: TaskStatus; dueAt: Date }, now: Date): boolean => isOpen(task.status) && task.dueAt <= now

/** The completion fields for a status (spec 4). A task that is already completed keeps its time. `before`: the previous completion time. */
export function completion(status: TaskStatus, before: Date | null, now: Date): { completed: boolean; completedAt: Date | null } {
  const completed = status === 'completed'
  return { completed, completedAt: completed ? (before ?? now) : null }
}

/**
 * Postpones a task (spec 4): the new due time is its due time (by default 09:00) today plus `minutes`. Past midnight the date moves too,
 * but a task from an earlier day otherwise keeps its date and stays overdue. `remindAt` is never earlier than `minutes` from now.
 */
export function snooze(task: Due, minutes: number, now: Date, timeZone: string): Due & { dueAt: Date; remindAt: Date } {
  const today = toLocal(now, timeZone).day
  const moved = new Date(dueAt({ ...task, dueDate: today }, timeZone).getTime() + minutes * 60_000)
  const { day, time } = toLocal(moved, timeZone)
  const keepsDate = day === today && task.dueDate !== today
  const due = { dueDate: keepsDate ? task.dueDate : day, dueTimeConstraint: time }
  // An hour repeats in autumn, so the instant itself is kept, not only its local time.
  const at = keepsDate ? dueAt(due, timeZone) : moved
  return { ...due, dueAt: at, remindAt: new Date(Math.max(at.getTime(), now.getTime() + minutes * 60_000)) }
}

/** The instants at which today starts and ends. */
export function todaysBounds(now: Date, timeZone: string): { from: Date; to: Date } {
  const { day } = toLocal(now, timeZone)
  return { from: instantOf({ day, time: '00:00' }, timeZone), to: instantOf({ day: daysLater(day, 1), time: '00:00' }, timeZone) }
}

/** A changed task and its previous values, for undo. */
export interface UndoItem {
  id: string
  /** The version after the change. If the task has another version by now, it was changed again. */
  version: number
  before: { status?: TaskStatus; assigneeIds?: string[]; dueDate?: string; dueTimeConstraint?: string | null }
}
