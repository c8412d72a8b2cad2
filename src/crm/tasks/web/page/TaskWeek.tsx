import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { startOfWeek } from 'date-fns/startOfWeek'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { daysLater, toLocal } from '../../../../shared/zoned-time.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatCount, formatDay, formatTimeOfDay, today } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { isOpen } from '../../rules.ts'
import { editTask } from '../embed/task-dialog.ts'
import { patientName, type TaskData } from '../task-data.ts'
import { statusLabels } from '../task-labels.ts'
import type { TasksSearch } from './tasks-search.ts'
import { useTaskWeek } from './useTasks.ts'

interface TaskWeekProps {
  search: TasksSearch
  onChange: (part: TasksSearch) => void
  narrow: boolean
}

const mondayOf = (day: string): string => format(startOfWeek(parseISO(day), { weekStartsOn: 1 }), 'yyyy-MM-dd')

/** A week from Monday with the tasks due on each day, including completed ones. */
export function TaskWeek({ search, onChange, narrow }: TaskWeekProps) {
  const clock = useClock()
  const now = today(clock)
  const from = mondayOf(search.from ?? now)
  const week = useTaskWeek(search, from)
  const days = Array.from({ length: 7 }, (_, at) => daysLater(from, at))
  const tasks = week.data?.data ?? []
  const left = (week.data?.total ?? 0) - tasks.length
  const go = (day: string) => onChange({ from: mondayOf(day) === mondayOf(now) ? undefined : mondayOf(day) })

  return (
    <>
      <div className="flex h-12 flex-none items-center gap-1 px-4 md:px-6">
        <IconButton label="Previous week" icon={<ChevronLeft />} onClick={() => go(daysLater(from, -7))} />
        <IconButton label="Next week" icon={<ChevronRight />} onClick={() => go(daysLater(from, 7))} />
        <h2 className="px-1 text-md font-semibold" aria-live="polite">
          {formatDay(from).replace(/, \d+$/, '')} – {formatDay(daysLater(from, 6))}
        </h2>
        {mondayOf(now) !== from && (
          <Button size="sm" variant="quiet" onClick={() => go(now)}>
            This week
          </Button>
        )}
        {left > 0 && <span className="ml-auto text-sm text-fg-3">{formatCount(left)} more not shown. Use filters to see them.</span>}
      </div>
      {week.error && !week.data ? (
        <ErrorState title="Couldn’t load the week" onRetry={() => void week.refetch()} retrying={week.isFetching} />
      ) : week.isPending ? (
        <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" />
      ) : (
        <div
          className={cn(
            'relative min-h-0 flex-1 overflow-y-auto border-t border-line',
            narrow ? 'flex flex-col' : 'grid auto-rows-fr grid-cols-7',
            week.isPlaceholderData && 'opacity-60',
          )}
        >
          {days.map((day) => (
            <Day
              key={day}
              day={day}
              isToday={day === now}
              narrow={narrow}
              clock={clock}
              tasks={tasks.filter(({ dueAt }) => toLocal(dueAt, clock.timeZone).day === day)}
            />
          ))}
        </div>
      )}
    </>
  )
}

interface DayProps {
  day: string
  isToday: boolean
  narrow: boolean
  clock: Clock
  tasks: readonly TaskData[]
}

function Day({ day, isToday, narrow, clock, tasks }: DayProps) {
  if (narrow && tasks.length === 0 && !isToday) return null
  return (
    <section
      aria-label={format(parseISO(day), 'EEEE, MMMM d')}
      className={cn('min-w-0 border-line', narrow ? 'border-b' : 'border-r last:border-r-0')}
    >
      <h3
        className={cn(
          'sticky top-0 z-(--z-sticky) flex h-(--row-head) items-center gap-1.5 border-b border-line bg-subtle px-3 text-xs font-medium',
          isToday ? 'text-accent-fg' : 'text-fg-3',
        )}
      >
        {format(parseISO(day), 'EEE d')}
        {isToday && <span className="font-regular">Today</span>}
        {tasks.length > 0 && <span className="ml-auto font-regular tabular-nums">{tasks.length}</span>}
      </h3>
      <ul className="flex flex-col gap-0.5 p-1">
        {tasks.length === 0 && narrow && <li className="px-2 py-2 text-sm text-fg-3">No tasks due.</li>}
        {tasks.map((task) => (
          <li key={task.id}>
            <WeekTask task={task} clock={clock} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function WeekTask({ task, clock }: { task: TaskData; clock: Clock }) {
  const open = isOpen(task.status)
  const isLate = open && Date.parse(task.dueAt) <= new Date(clock.now).getTime()
  const when = task.dueTimeConstraint === null ? null : formatTimeOfDay(task.dueTimeConstraint)
  const facts = [when, task.type, patientName(task)].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      onClick={() => editTask(task.id)}
      className="block min-h-11 w-full rounded-sm px-2 py-1 text-left outline-offset-[-2px] hover:bg-hover md:min-h-0"
    >
      <span
        className={cn('block text-sm leading-4.5 wrap-anywhere', open ? 'text-fg' : 'text-fg-3 line-through', isLate && 'text-danger-fg')}
      >
        {task.title}
      </span>
      <span className="block truncate text-xs text-fg-3">
        {facts}
        {!open && <span className="sr-only">, {statusLabels[task.status]}</span>}
        {isLate && <span className="sr-only">, overdue</span>}
      </span>
    </button>
  )
}
