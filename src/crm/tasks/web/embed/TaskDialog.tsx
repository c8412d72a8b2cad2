import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock, useSession } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useMay } from '../../../../ui/client/useMay.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { dropDraft, keepDraft, recallDraft } from '../form/drafts.ts'
import { TaskFields } from '../form/TaskFields.tsx'
import { blankTask, type TaskValues, valuesOf } from '../form/task-values.ts'
import { useTaskForm } from '../form/useTaskForm.ts'
import type { TaskData } from '../task-data.ts'
import { closeTask, type TaskDialogState, type TaskPatient } from './task-dialog.ts'

/** Spec 2: creates or changes a task. Stands once, in the shell. */
export default function TaskDialog({ state }: { state: TaskDialogState }) {
  return state.kind === 'new' ? (
    <NewTask key={state.patient?.id ?? ''} patient={state.patient} />
  ) : (
    <EditTask key={state.id} id={state.id} />
  )
}

function NewTask({ patient }: { patient: TaskPatient | null }) {
  const clock = useClock()
  const { user } = useSession()
  const people = useQuery(orpc.tasks.assignable.queryOptions({ staleTime: 60_000 }))
  const hours = useHours()
  const [draft] = useState(() => recallDraft(patient?.id ?? null))
  if ((people.isPending || hours.isPending) && !draft) return <Waiting title="Create New Task" />
  // Most tasks are one's own.
  const me = people.data?.some(({ id }) => id === user?.id) && user ? [user.id] : []
  return <TaskForm task={null} patient={patient} initial={draft ?? blankTask(clock, hours.data ?? [], me, patient?.id ?? null)} />
}

function EditTask({ id }: { id: string }) {
  const task = useQuery(orpc.tasks.get.queryOptions({ input: { id }, staleTime: 0, refetchOnWindowFocus: false }))
  // What was there when the dialog was opened may have been changed since.
  if (task.isPending || (task.isFetching && !task.isFetchedAfterMount)) return <Waiting title="Edit Task" />
  if (!task.data) {
    return (
      <Dialog open onOpenChange={closeTask} title="Edit Task">
        <DialogBody>
          {statusOf(task.error) === 404 ? (
            <ErrorState title="Task not found">It was deleted, or it is no longer yours.</ErrorState>
          ) : (
            <ErrorState title="Couldn’t load the task" onRetry={() => void task.refetch()} retrying={task.isFetching} />
          )}
        </DialogBody>
      </Dialog>
    )
  }
  return <TaskForm task={task.data} patient={task.data.contact} initial={valuesOf(task.data)} />
}

function Waiting({ title }: { title: string }) {
  return (
    <Dialog open onOpenChange={closeTask} title={title}>
      <DialogBody className="flex min-h-120 flex-col gap-6">
        {['w-2/5', 'w-4/5', 'w-3/5', 'w-2/3', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </DialogBody>
    </Dialog>
  )
}

interface TaskFormProps {
  task: TaskData | null
  patient: TaskPatient | null
  initial: TaskValues
}

function TaskForm({ task, patient, initial }: TaskFormProps) {
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const requireContact = task === null && patient !== null
  const place = patient?.id ?? null
  const hours = useHours().data ?? []
  const { form, settle, due } = useTaskForm({
    task,
    hours,
    initial,
    requireContact,
    onSaved() {
      if (!task) dropDraft(place)
      closeTask()
    },
  })

  const { isDirty, isBusy, conflict } = form
  function close() {
    if (isBusy) return
    if (task && isDirty) return setLeaving(true)
    if (isDirty) keepDraft(place, form.values)
    closeTask()
  }
  function cancel() {
    if (!task) dropDraft(place)
    closeTask()
  }

  return (
    <Dialog open onOpenChange={close} title={task ? 'Edit Task' : 'Create New Task'} dismissible={!isBusy}>
      <Form form={form} className={dialogForm}>
        <DialogBody>
          {conflict && (
            <Alert
              tone="warning"
              title="Someone has changed this task in the meantime."
              className="mb-4"
              action={
                <span className="flex gap-2">
                  <Button size="sm" onClick={() => settle(conflict, 'mine')}>
                    Keep what I typed
                  </Button>
                  <Button size="sm" onClick={() => settle(conflict, 'theirs')}>
                    Show theirs
                  </Button>
                </span>
              }
            >
              Nothing was saved yet.
            </Alert>
          )}
          <TaskFields form={form} due={due} assigned={task?.assignees ?? []} patient={patient} requireContact={requireContact} />
        </DialogBody>
        <DialogFooter>
          {task && may('tasks.delete') && (
            <Button size="lg" variant="danger" disabled={isBusy} onClick={() => setDeleting(true)} className="mr-auto">
              Delete
            </Button>
          )}
          <Button size="lg" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="lg"
            variant="filled"
            disabled={conflict !== null}
            busy={isBusy}
            busyLabel={task ? 'Updating...' : 'Creating...'}
          >
            {task ? 'Update Task' : 'Create Task'}
          </Button>
        </DialogFooter>
      </Form>
      {isLeaving && (
        <ConfirmDialog
          open
          onOpenChange={() => setLeaving(false)}
          title="Leave without saving?"
          confirmLabel="Discard changes"
          cancelLabel="Keep editing"
          danger
          onConfirm={closeTask}
        >
          What you changed in this task is not saved yet.
        </ConfirmDialog>
      )}
      {task && isDeleting && <DeleteTask task={task} onClose={() => setDeleting(false)} />}
    </Dialog>
  )
}

function DeleteTask({ task, onClose }: { task: TaskData; onClose: () => void }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function remove() {
    setBusy(true)
    try {
      await client.tasks.delete({ id: task.id })
      void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
      toast.success('Task deleted')
      closeTask()
    } catch (error) {
      toast.error('The task was not deleted', messageOf(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete this task?"
      confirmLabel="Delete task"
      busyLabel="Deleting..."
      busy={busy}
      danger
      onConfirm={() => void remove()}
    >
      “{task.title}” is deleted for everyone it is assigned to. This cannot be undone.
    </ConfirmDialog>
  )
}
