import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { TaskLine } from './TaskLine.tsx'
import { createTask, type TaskPatient } from './task-dialog.ts'
import { usePatientTasks } from './usePatientTasks.ts'

/** A patient's tasks that the user may see, by due date; completed ones on demand. The page binds the shortcut: see `useTaskKey`. */
export function PatientTasks({ patient, clock }: { patient: TaskPatient; clock: Clock }) {
  const [showsDone, setShowsDone] = useState(false)
  const { id, firstName, lastName } = patient
  const { tasks, open, done } = usePatientTasks(id)

  return (
    <PanelSection
      title="Tasks"
      action={<IconButton label="Create Task" keys="t" icon={<Plus />} size="sm" onClick={() => createTask({ id, firstName, lastName })} />}
    >
      {tasks.error && !tasks.data ? (
        <p role="alert" className="text-sm text-danger-fg">
          Couldn’t load tasks.{' '}
          <Button size="sm" variant="quiet" onClick={() => void tasks.refetch()}>
            Try again
          </Button>
        </p>
      ) : tasks.isPending ? (
        <Skeleton className="w-2/3" />
      ) : open.length === 0 ? (
        <p className="text-sm">
          <None />
        </p>
      ) : (
        <ul aria-label="Open tasks" className="-mx-2">
          {open.map((task) => (
            <TaskLine key={task.id} task={task} clock={clock} />
          ))}
        </ul>
      )}
      {done.length > 0 && (
        <Button size="sm" variant="quiet" className="mt-1 -ml-2" aria-expanded={showsDone} onClick={() => setShowsDone(!showsDone)}>
          {showsDone ? 'Hide' : 'Show'} {done.length} done
        </Button>
      )}
      {showsDone && (
        <ul aria-label="Done tasks" className="-mx-2">
          {done.map((task) => (
            <TaskLine key={task.id} task={task} clock={clock} />
          ))}
        </ul>
      )}
    </PanelSection>
  )
}
