import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSession } from '../../../ui/client/session.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { type Clock, formatCount, formatDateTime, formatLate } from '../../../ui/format.ts'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { seesAllTasks } from '../../../crm/tasks/policy.ts'
import { useCompleteTask } from '../../../crm/tasks/web/embed/useCompleteTask.ts'
import { Nothing, Panel } from './embed/Panel.tsx'
import type { DashboardData } from './useDashboard.ts'

type Overdue = DashboardData['overdue']
type Task = Overdue['data'][number]

interface OverdueTasksProps {
  overdue: Overdue
  clock: Clock
  /** Reloads the dashboard. */
  onChanged: () => Promise<void>
}

/** Spec 2: overdue tasks, which can be completed here. */
export function OverdueTasks({ overdue, clock, onChanged }: OverdueTasksProps) {
  const list = useRef<HTMLUListElement>(null)
  const { user } = useSession()
  const seesAll = user !== null && seesAllTasks(user)
  const { completedIds, complete, busy } = useCompletion(onChanged)
  const tasks = overdue.data.filter(({ id }) => !completedIds.has(id))
  const total = overdue.total - (overdue.data.length - tasks.length)

  /** Keeps the focus in the list when completing tasks by keyboard. */
  function focusNeighbour(id: string) {
    const items = [...(list.current?.children ?? [])]
    const at = items.findIndex((item) => item.contains(document.activeElement))
    const next = items[at + 1] ?? items[at - 1]
    if (at >= 0 && tasks[at]?.id === id) next?.querySelector('button')?.focus()
  }

  return (
    <Panel
      title="Overdue Tasks"
      note={
        total > 0 && (
          <Badge tone="danger">
            {formatCount(total)}
            <span className="sr-only"> overdue</span>
          </Badge>
        )
      }
      actions={
        <Button asChild>
          {/* The total includes everyone's tasks for users who can see them. */}
          <Link to="/tasks" search={seesAll ? { show: 'everyone', due: 'overdue' } : { due: 'overdue' }}>
            View All Tasks
          </Link>
        </Button>
      }
    >
      {tasks.length === 0 && total === 0 ? (
        <Nothing>No overdue tasks!</Nothing>
      ) : (
        <ul ref={list} className="max-h-100 divide-y divide-line overflow-y-auto">
          {tasks.map((task) => (
            <Item
              key={task.id}
              task={task}
              clock={clock}
              busy={busy === task.id}
              onComplete={() => {
                focusNeighbour(task.id)
                complete(task)
              }}
            />
          ))}
          {total > tasks.length && (
            <li className="py-3 text-xs text-fg-3">{`The ${tasks.length} latest of ${formatCount(total)}. View All Tasks has the others.`}</li>
          )}
        </ul>
      )}
    </Panel>
  )
}

/** Completes tasks optimistically: they leave the list at once and return on failure or undo. */
function useCompletion(onChanged: () => Promise<void>) {
  const complete = useCompleteTask()
  const [completedIds, setCompletedIds] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState<string | null>(null)
  const show = (id: string) => setCompletedIds((now) => new Set([...now].filter((one) => one !== id)))

  async function run(task: Task) {
    setCompletedIds((now) => new Set([...now, task.id]))
    setBusy(task.id)
    const isCompleted = await complete(task, () => {
      show(task.id)
      void onChanged()
    })
    setBusy(null)
    if (!isCompleted) show(task.id)
    await onChanged()
  }
  return { completedIds, busy, complete: (task: Task) => void run(task) }
}

function Item({ task, clock, busy, onComplete }: { task: Task; clock: Clock; busy: boolean; onComplete: () => void }) {
  const { title, type, contact, dueAt } = task
  return (
    <li className="flex items-center gap-3 py-2 first:pt-1 max-md:py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium text-fg" title={title}>
          {title}
        </p>
        <p className="truncate text-xs text-fg-3">
          {type} ·{' '}
          {contact ? (
            <Link
              to="/contacts/$id"
              params={{ id: contact.id }}
              className="relative rounded-xs font-medium text-accent-fg touch-target hover:text-accent-hover hover:underline"
            >
              {fullName(contact)}
            </Link>
          ) : (
            'Unknown'
          )}
        </p>
      </div>
      <span title={formatDateTime(dueAt, clock)} className="flex-none text-xs text-danger-fg tabular-nums">
        {formatLate(dueAt, clock)}
      </span>
      <Button icon={<Check />} busy={busy} onClick={onComplete} aria-label={`Complete ${title}`}>
        Complete
      </Button>
    </li>
  )
}
