import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf, orpc } from '../../../web/api.ts'
import { useSession } from '../../../web/session.ts'
import { Badge } from '../../../web/ui/Badge.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { type Clock, formatCount, formatDateTime, formatLate } from '../../../web/ui/format.ts'
import { toast } from '../../../web/ui/toast.ts'
import { fullName } from '../../contacts/web/embed/contact-data.ts'
import { seesAllTasks } from '../../tasks/policy.ts'
import { Nothing, Panel } from './Panel.tsx'
import type { DashboardData } from './useDashboard.ts'

type Overdue = DashboardData['overdue']
type Task = Overdue['data'][number]

interface OverdueTasksProps {
  overdue: Overdue
  clock: Clock
  /** Asks for the dashboard again. */
  onChanged: () => Promise<void>
}

/** Spec 2: the tasks that are late, each to be completed here. */
export function OverdueTasks({ overdue, clock, onChanged }: OverdueTasksProps) {
  const list = useRef<HTMLUListElement>(null)
  const { user } = useSession()
  const seesAll = user !== null && seesAllTasks(user)
  const { gone, complete, busy } = useCompletion(onChanged)
  const tasks = overdue.data.filter(({ id }) => !gone.has(id))
  const total = overdue.total - (overdue.data.length - tasks.length)

  /** Whoever completes one after the other by keyboard stays in the list. */
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
          {/* The number is of everybody's for whoever sees them. */}
          <Link to="/tasks" search={seesAll ? { whose: 'everyone', due: 'overdue' } : { due: 'overdue' }}>
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

/** Completes tasks, which leave the list at once and come back when that fails or is undone. */
function useCompletion(onChanged: () => Promise<void>) {
  const cache = useQueryClient()
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const complete = useMutation(orpc.tasks.complete.mutationOptions())
  const undo = useMutation(orpc.tasks.undo.mutationOptions())

  const hide = (id: string, isHidden: boolean) =>
    setGone((now) => {
      const next = new Set(now)
      if (isHidden) next.add(id)
      else next.delete(id)
      return next
    })
  const changed = () => {
    void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
    return onChanged()
  }

  async function takeBack({ id, title }: Task, change: string) {
    try {
      await undo.mutateAsync({ id: change })
      hide(id, false)
      await changed()
    } catch (error) {
      toast.error(`“${title}” is still completed`, messageOf(error))
    }
  }

  async function run(task: Task) {
    hide(task.id, true)
    try {
      const { undo: change } = await complete.mutateAsync({ id: task.id })
      if (change === null) toast.success(`“${task.title}” was completed already`)
      else toast.undoable(`“${task.title}” completed`, () => void takeBack(task, change))
    } catch (error) {
      hide(task.id, false)
      toast.error(`“${task.title}” was not completed`, messageOf(error))
    }
    await changed()
  }

  const busy = complete.isPending ? complete.variables.id : null
  return { gone, busy, complete: (task: Task) => void run(task) }
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
