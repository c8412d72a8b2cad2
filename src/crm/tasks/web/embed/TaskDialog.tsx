import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock, useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { ConflictNotice } from '../../../../ui/forms/ConflictNotice.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { useHours } from '../../../../platform/practice/web/embed/usePractice.ts'
import { deleteDraft, saveDraft, loadDraft } from '../form/drafts.ts'
import { TaskFields } from '../form/TaskFields.tsx'
import { emptyTask, type TaskValues, valuesOf } from '../form/task-values.ts'
import { useTaskForm } from '../form/useTaskForm.ts'
import type { TaskData } from '../task-data.ts'
import { closeTask, type TaskDialogState, type TaskPatient } from './task-dialog.ts'

/** Creates or edits a task (spec 2). Rendered once, in the shell. */
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
  const [draft] = useState(() => loadDraft(patient?.id ?? null))
  if ((people.isPending || hours.isPending) && !draft) return <LoadingDialog title="Create New Task" />
  // Most tasks are created for oneself.
  const defaultAssignees = people.data?.some(({ id }) => id === user?.id) && user ? [user.id] : []
  return (
    <TaskForm task={null} patient={patient} initial={draft ?? emptyTask(clock, hours.data ?? [], defaultAssignees, patient?.id ?? null)} />
  )
}

function EditTask({ id }: { id: string }) {
  const task = useQuery(orpc.tasks.get.queryOptions({ input: { id }, staleTime: 0, refetchOnWindowFocus: false }))
  // The cached task may be outdated, so wait for a fresh one.
  if (task.isPending || (task.isFetching && !task.isFetchedAfterMount)) return <LoadingDialog title="Edit Task" />
  if (!task.data) {
    return (
      <Dialog onClose={closeTask} title="Edit Task">
        <DialogBody>
          {statusOf(task.error) === 404 ? (
            <ErrorState title="Task not found">It was deleted, or it is no longer assigned to you.</ErrorState>
          ) : (
            <ErrorState title="Couldn’t load the task" onRetry={() => void task.refetch()} retrying={task.isFetching} />
          )}
        </DialogBody>
      </Dialog>
    )
  }
  return <TaskForm task={task.data} patient={task.data.contact} initial={valuesOf(task.data)} />
}

function LoadingDialog({ title }: { title: string }) {
  return (
    <Dialog onClose={closeTask} title={title}>
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
  const may = usePermission()
  const [isDeleting, setDeleting] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const requireContact = task === null && patient !== null
  const draftKey = patient?.id ?? null
  const hours = useHours().data ?? []
  const { form, resolveConflict, due } = useTaskForm({
    task,
    hours,
    initial,
    requireContact,
    onSaved() {
      if (!task) deleteDraft(draftKey)
      closeTask()
    },
  })

  const { isDirty, isBusy, conflict } = form
  function close() {
    if (isBusy) return
    if (task && isDirty) return setLeaving(true)
    if (isDirty) saveDraft(draftKey, form.values)
    closeTask()
  }
  function cancel() {
    if (!task) deleteDraft(draftKey)
    closeTask()
  }

  return (
    <Dialog onClose={close} title={task ? 'Edit Task' : 'Create New Task'} dismissible={!isBusy}>
      <Form form={form} className={dialogForm}>
        <DialogBody>
          {conflict && (
            <ConflictNotice
              title="Someone else has changed this task."
              className="mb-4"
              onResolve={(keep) => resolveConflict(conflict, keep)}
            />
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
          onClose={() => setLeaving(false)}
          title="Leave without saving?"
          action={{ label: 'Discard changes', isDanger: true }}
          cancelLabel="Keep editing"
          onConfirm={closeTask}
        >
          Your changes to this task are not saved yet.
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
      toast.error('Couldn’t delete the task', messageOf(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete this task?"
      action={{ label: 'Delete task', busyLabel: 'Deleting…', isDanger: true }}
      isBusy={busy}
      onConfirm={() => void remove()}
    >
      “{task.title}” will be deleted for all assignees. This cannot be undone.
    </ConfirmDialog>
  )
}
