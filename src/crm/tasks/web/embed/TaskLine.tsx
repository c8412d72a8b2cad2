import { Check } from 'lucide-react'
import { type Clock, formatDateTime, formatDue, formatLate, formatShortDate } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { isOpen } from '../../rules.ts'
import type { TaskData } from '../task-data.ts'
import { statusLabels } from '../task-labels.ts'
import { formatSnooze, isSnoozed } from './snooze.ts'
import { editTask } from './task-dialog.ts'
import { useCompleteTask } from './useCompleteTask.ts'

/** A task in a narrow column: title, due time, assignees and a button to complete it. */
export function TaskLine({ task, clock }: { task: TaskData; clock: Clock }) {
  const complete = useCompleteTask()
  const open = isOpen(task.status)
  const people = task.assignees.map(({ firstName }) => firstName)
  return (
    <li className="flex items-center gap-1 rounded-sm hover:bg-hover">
      <button
        type="button"
        onClick={() => editTask(task.id)}
        className="min-h-11 min-w-0 flex-1 rounded-sm py-1 pl-2 text-left outline-offset-[-2px]"
      >
        <span className={`block truncate text-sm ${open ? 'text-fg' : 'text-fg-3 line-through'}`}>{task.title}</span>
        <span className="block truncate text-xs text-fg-3" title={formatDateTime(task.dueAt, clock)}>
          <TaskDue task={task} clock={clock} /> · {people.length > 2 ? `${people[0]} and ${people.length - 1} others` : people.join(', ')}
        </span>
      </button>
      {open && (
        <IconButton label={`Complete: ${task.title}`} icon={<Check />} size="sm" tooltipSide="left" onClick={() => void complete(task)} />
      )}
    </li>
  )
}

/** The due time of an open task, red if overdue, or the end of its snooze; the status and date of a closed one. */
export function TaskDue({ task, clock }: { task: Pick<TaskData, 'status' | 'dueAt' | 'snoozedUntil' | 'completedAt'>; clock: Clock }) {
  if (!isOpen(task.status)) {
    const when = task.completedAt && ` ${formatShortDate(task.completedAt, clock)}`
    return `${statusLabels[task.status]}${when ?? ''}`
  }
  if (isSnoozed(task.snoozedUntil, clock)) return formatSnooze(task.snoozedUntil, clock)
  const isLate = Date.parse(task.dueAt) <= new Date(clock.now).getTime()
  return isLate ? <span className="text-danger-fg">{formatLate(task.dueAt, clock)}</span> : formatDue(task.dueAt, clock)
}
