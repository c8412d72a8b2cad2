import { CheckSquare, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Pagination } from '../../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Table, TableBody, TableHead, Th } from '../../../../ui/display/Table.tsx'
import type { TaskDue } from '../../contract.ts'
import { createTask } from '../embed/task-dialog.ts'
import { TaskBulkBar } from './TaskBulkBar.tsx'
import { TaskCard, taskColumns, TaskRow } from './TaskRow.tsx'
import { isFiltered, type TasksSearch } from './tasks-search.ts'
import { useTaskKeys } from './useTaskKeys.ts'
import { pageSize, type useTaskList } from './useTasks.ts'

/** The row height in tokens.css. */
const rowHeight = 44

interface TaskListProps {
  search: TasksSearch
  onChange: (part: TasksSearch) => void
  list: ReturnType<typeof useTaskList>['list']
  narrow: boolean
}

export function TaskList({ search, onChange, list, narrow }: TaskListProps) {
  const clock = useClock()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  const tasks = useMemo(() => list.data?.data ?? [], [list.data])
  const total = list.data?.total ?? 0
  const page = search.page ?? 1
  // Tasks that have left the page are no longer selected.
  const chosen = tasks.filter(({ id }) => selected.has(id))

  function toggle(id: string, withShift = false) {
    const next = new Set(selected)
    const isOn = !next.has(id)
    const ids = tasks.map((task) => task.id)
    const [from, to] = [ids.indexOf(anchor ?? ''), ids.indexOf(id)]
    const range = withShift && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    for (const each of range)
      if (isOn) next.add(each)
      else next.delete(each)
    setSelected(next)
    setAnchor(id)
  }
  const clear = () => setSelected(new Set())
  const all = chosen.length === 0 ? false : chosen.length === tasks.length ? true : ('indeterminate' as const)
  const { current, menu, setMenu } = useTaskKeys({ tasks, onToggle: toggle, isAnySelected: chosen.length > 0, onClear: clear })

  // The last tasks of the last page were completed, or the URL contains a page that never existed.
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const isBeyond = list.data !== undefined && !list.isPlaceholderData && tasks.length === 0 && page > lastPage
  const leave = useEffectEvent(() => onChange({ page: lastPage > 1 ? lastPage : undefined }))
  useEffect(() => {
    if (isBeyond) leave()
  }, [isBeyond])

  if (list.error && !list.data) {
    return (
      <ErrorState title="Couldn’t load tasks" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    )
  }
  if (list.isPending || isBeyond)
    return <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[60rem]:h-17" />
  if (tasks.length === 0) return <NoTasks search={search} onChange={onChange} />

  return (
    <>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          aria-busy={list.isPlaceholderData}
          data-scroll-restoration-id="tasks"
          className={cn('relative min-h-0 flex-1 overflow-y-auto', list.isPlaceholderData && 'opacity-60', chosen.length > 0 && 'pb-20')}
        >
          {narrow ? (
            <ul aria-label="Tasks">
              {tasks.map((task) => (
                <TaskCard
                  key={task.id}
                  task={task}
                  clock={clock}
                  selected={selected.has(task.id)}
                  onToggle={(withShift) => toggle(task.id, withShift)}
                />
              ))}
            </ul>
          ) : (
            <Table columns={taskColumns} aria-label="Tasks" aria-rowcount={total + 1}>
              <TableHead>
                <Th className="pr-0 pl-6">
                  <Checkbox
                    aria-label="Select this page"
                    checked={all}
                    onCheckedChange={(checked) => setSelected(new Set(checked ? tasks.map(({ id }) => id) : []))}
                  />
                </Th>
                <Th>Task</Th>
                <Th>Patient</Th>
                <Th>Due</Th>
                <Th>Priority</Th>
                <Th>Assigned to</Th>
                <Th>
                  <span className="sr-only">Complete</span>
                </Th>
              </TableHead>
              <TableBody height={tasks.length * rowHeight}>
                {tasks.map((task, index) => (
                  <TaskRow
                    key={task.id}
                    task={task}
                    index={(page - 1) * pageSize + index}
                    top={index * rowHeight}
                    clock={clock}
                    selected={selected.has(task.id)}
                    current={current === task.id}
                    onToggle={(withShift) => toggle(task.id, withShift)}
                  />
                ))}
              </TableBody>
            </Table>
          )}
        </div>
        {chosen.length > 0 && <TaskBulkBar tasks={chosen} menu={menu} setMenu={setMenu} onDone={clear} />}
      </div>
      <Pagination
        first={(page - 1) * pageSize + 1}
        last={(page - 1) * pageSize + tasks.length}
        total={total}
        page={page}
        pageSize={pageSize}
        onPageChange={(next) => onChange({ page: next > 1 ? next : undefined })}
      />
    </>
  )
}

const emptyTitles: Record<TaskDue, string> = {
  open: 'No open tasks',
  overdue: 'No overdue tasks!',
  today: 'No tasks due today',
  upcoming: 'No upcoming tasks',
  done: 'No completed tasks yet',
}

function NoTasks({ search, onChange }: Pick<TaskListProps, 'search' | 'onChange'>) {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={<Search />}
        title="No matching tasks"
        actions={
          <Button onClick={() => onChange({ assignee: undefined, type: undefined, priority: undefined, patient: undefined })}>
            Clear filters
          </Button>
        }
      >
        Filters are on: {formatFilters(search)}.
      </EmptyState>
    )
  }
  const due = search.due ?? 'open'
  if (due === 'overdue') return <EmptyState icon={<CheckSquare />} title={emptyTitles.overdue} />
  return (
    <EmptyState
      icon={<CheckSquare />}
      title={emptyTitles[due]}
      actions={due === 'done' ? undefined : <Button onClick={() => createTask()}>Create Task</Button>}
    >
      Calls, emails and follow-ups assigned {search.show === 'everyone' ? 'to anyone' : 'to you'} appear here.
    </EmptyState>
  )
}

const formatFilters = ({ assignee, type, priority, patient }: TasksSearch): string =>
  [assignee && 'Assignee', type && 'Type', priority && 'Priority', patient && 'Patient'].filter(Boolean).join(', ')
