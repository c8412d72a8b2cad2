import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { TabPanel, Tabs } from '../../../../ui/display/Tabs.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { seesAllTasks } from '../../policy.ts'
import { createTask, editTask } from '../embed/task-dialog.ts'
import { TaskList } from './TaskList.tsx'
import { TaskToolbar } from './TaskToolbar.tsx'
import { TaskWeek } from './TaskWeek.tsx'
import { dueLabels, type TasksSearch } from './tasks-search.ts'
import { useLiveTasks, useTaskList } from './useTasks.ts'
import type { TaskDue } from '../../contract.ts'

/** /tasks (spec 2): the user's tasks, or everyone's for roles that see all tasks. */
export default function TasksPage(): ReactNode {
  const given = useSearch({ from: '/staff/tasks' })
  const navigate = useNavigate({ from: '/tasks' })
  const { user } = useSession()
  const seesAll = user !== null && seesAllTasks(user)
  const search = seesAll ? given : { ...given, show: undefined, assignee: undefined }
  const narrow = useMedia('(width < 60rem)')
  const { list, counts } = useTaskList(search)
  useLiveTasks()

  const change = (part: TasksSearch) => void navigate({ to: '/tasks', search: (before) => ({ ...before, page: undefined, ...part }) })

  // Links in emails open the task's dialog. The parameter is then removed, so that the dialog does not open again.
  useEffect(() => {
    if (!given.task) return
    editTask(given.task)
    void navigate({ to: '/tasks', search: { ...given, task: undefined }, replace: true })
  }, [given, navigate])

  const items = (Object.keys(dueLabels) as TaskDue[]).map((value) => ({
    value,
    label: dueLabels[value],
    count: counts && value !== 'done' ? formatCount(counts[value]) : undefined,
  }))
  const isWeek = search.view === 'week'
  const shown = isWeek ? ('week' as const) : (search.due ?? 'open')

  return (
    <>
      <TopbarTitle title="Tasks" />
      <Tabs<TaskDue | 'week'>
        aria-label="Task status"
        value={shown}
        onValueChange={(due) => change({ due: due === 'open' || due === 'week' ? undefined : due, view: undefined, from: undefined })}
        items={items}
        className="flex-1"
        actions={
          !narrow && (
            <Button variant="filled" icon={<Plus />} onClick={() => createTask()}>
              New task
            </Button>
          )
        }
      >
        <TabPanel
          value={shown}
          tabIndex={-1}
          {...(isWeek && { 'aria-labelledby': undefined, 'aria-label': 'Week' })}
          className="flex flex-1 flex-col"
        >
          <TaskToolbar search={search} onChange={change} seesAll={seesAll} narrow={narrow} />
          {isWeek ? (
            <TaskWeek search={search} onChange={change} narrow={narrow} />
          ) : (
            <TaskList key={JSON.stringify({ ...search, task: undefined })} search={search} onChange={change} list={list} narrow={narrow} />
          )}
        </TabPanel>
      </Tabs>
    </>
  )
}
