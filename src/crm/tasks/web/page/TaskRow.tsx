import { Link } from '@tanstack/react-router'
import { Check, SignalHigh } from 'lucide-react'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { None, TableRow, Td } from '../../../../ui/display/Table.tsx'
import { isOpen } from '../../rules.ts'
import { TaskDue } from '../embed/TaskLine.tsx'
import { editTask } from '../embed/task-dialog.ts'
import { useCompleteTask } from '../embed/useCompleteTask.ts'
import { patientName, type TaskData } from '../task-data.ts'
import { priorityLabels } from '../task-labels.ts'

export const taskColumns = '3rem minmax(0, 1fr) 12rem 10.5rem 6rem 9rem 8.5rem'
const shownAvatars = 4

interface TaskRowProps {
  task: TaskData
  index: number
  top: number
  clock: Clock
  selected: boolean
  current: boolean
  onToggle: (withShift: boolean) => void
}

export function TaskRow({ task, index, top, clock, selected, current, onToggle }: TaskRowProps) {
  const complete = useCompleteTask()
  const name = patientName(task)
  return (
    <TableRow data-task={task.id} aria-rowindex={index + 2} top={top} selected={selected} current={current}>
      <Td whole className="flex items-center pr-0">
        <Checkbox aria-label={`Select ${task.title}`} checked={selected} onCheckedChange={(_, withShift) => onToggle(withShift)} />
      </Td>
      <Td whole className="flex flex-col justify-center">
        <button
          type="button"
          onClick={() => editTask(task.id)}
          className={`truncate rounded-xs text-left leading-4.5 font-medium outline-offset-1 hover:underline ${task.completed ? 'text-fg-2 line-through' : 'text-fg'}`}
        >
          {task.title}
        </button>
        <span className="truncate text-xs text-fg-3">{task.description ? `${task.type} · ${task.description}` : task.type}</span>
      </Td>
      <Td>{task.contact ? <PatientLink task={task} name={name} /> : <None />}</Td>
      <Td className="tabular-nums" title={formatDateTime(task.dueAt, clock)}>
        <TaskDue task={task} clock={clock} />
      </Td>
      <Td whole className="flex items-center gap-1.5">
        <Priority task={task} />
      </Td>
      <Td whole className="flex items-center" title={task.assignees.map(({ fullName }) => fullName).join(', ')}>
        <Assignees task={task} />
      </Td>
      <Td whole className="flex items-center justify-end">
        {isOpen(task.status) && (
          <Button size="sm" icon={<Check />} onClick={() => void complete(task)}>
            Complete
          </Button>
        )}
      </Td>
    </TableRow>
  )
}

/** A task on a phone, 68 px high. */
export function TaskCard({ task, clock, selected, onToggle }: Pick<TaskRowProps, 'task' | 'clock' | 'selected' | 'onToggle'>) {
  const complete = useCompleteTask()
  const facts = [task.type, patientName(task), task.priority === 'high' ? 'High priority' : null].filter(Boolean)
  return (
    <li className={`flex h-17 items-center gap-1 border-b border-line pr-2 ${selected ? 'bg-selected' : ''}`} data-task={task.id}>
      <span className="flex w-12 flex-none justify-center pl-2">
        <Checkbox aria-label={`Select ${task.title}`} checked={selected} onCheckedChange={(_, withShift) => onToggle(withShift)} />
      </span>
      <button type="button" onClick={() => editTask(task.id)} className="h-full min-w-0 flex-1 text-left outline-offset-[-2px]">
        <span className={`block truncate text-title leading-5 font-semibold ${task.completed ? 'text-fg-2 line-through' : 'text-fg'}`}>
          {task.title}
        </span>
        <span className="block truncate text-sm text-fg-2">
          <TaskDue task={task} clock={clock} /> · {facts.join(' · ')}
        </span>
      </button>
      {isOpen(task.status) && (
        <IconButton label={`Complete: ${task.title}`} variant="outlined" icon={<Check />} size="lg" onClick={() => void complete(task)} />
      )}
    </li>
  )
}

const PatientLink = ({ task, name }: { task: TaskData; name: string | null }) => (
  <Link to="/contacts/$id" params={{ id: task.contactId ?? '' }} className="rounded-xs text-accent-fg hover:underline">
    {name}
  </Link>
)

function Priority({ task: { priority } }: { task: TaskData }) {
  if (priority === 'medium') return <span className="text-fg-3">{priorityLabels.medium}</span>
  if (priority === 'low') return <span className="text-fg-3">{priorityLabels.low}</span>
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-fg">
      <SignalHigh className="text-warning-fg" aria-hidden="true" />
      {priorityLabels.high}
    </span>
  )
}

function Assignees({ task: { assignees } }: { task: TaskData }) {
  const [first] = assignees
  if (assignees.length === 1 && first) {
    return (
      <span className="flex min-w-0 items-center gap-2">
        <Avatar kind="staff" size="xs" id={first.id} firstName={first.firstName} lastName={first.lastName} />
        <span className="truncate">{first.firstName}</span>
      </span>
    )
  }
  const more = assignees.length - shownAvatars
  return (
    <span className="flex items-center gap-1">
      {assignees.slice(0, shownAvatars).map(({ id, firstName, lastName }) => (
        <Avatar key={id} kind="staff" size="xs" id={id} firstName={firstName} lastName={lastName} />
      ))}
      {more > 0 && <span className="text-xs text-fg-3 tabular-nums">+{more}</span>}
      <span className="sr-only">{assignees.map(({ fullName }) => fullName).join(', ')}</span>
    </span>
  )
}
