import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, Check, UserRound, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { BulkAction, BulkBar, BulkLine } from '../../../../ui/display/BulkBar.tsx'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatCount, formatDay, today } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { taskMessages } from '../../contract.ts'
import { AssigneePicker } from '../form/AssigneePicker.tsx'
import type { TaskData } from '../task-data.ts'
import type { BulkMenu } from './useTaskKeys.ts'

type Change = Omit<Parameters<typeof client.tasks.changeMany>[0]['changes'][number], 'id'>

const formatTasks = (count: number): string => `${formatCount(count)} ${count === 1 ? 'task' : 'tasks'}`

interface TaskBulkBarProps {
  tasks: readonly TaskData[]
  menu: BulkMenu
  setMenu: (menu: BulkMenu) => void
  onDone: () => void
}

/** Actions for the selected tasks, with Undo. */
export function TaskBulkBar({ tasks, menu, setMenu, onDone }: TaskBulkBarProps) {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.tasks.key() })

  async function undo(id: string) {
    try {
      const { undone, kept } = await client.tasks.undo({ id })
      toast.success(`Undone for ${formatTasks(undone)}`, kept > 0 ? `${formatTasks(kept)} changed since then, so not undone.` : undefined)
    } catch (error) {
      toast.error('Couldn’t undo this', messageOf(error))
    }
    refresh()
  }

  async function change(wanted: Change, done: string) {
    setMenu(null)
    setBusy(true)
    try {
      const result = await client.tasks.changeMany({ changes: tasks.map(({ id }) => ({ id, ...wanted })) })
      const { undo: id } = result
      if (id === null) toast.info('Nothing to change', `${formatTasks(tasks.length)} already up to date.`)
      else toast.undoable(`${formatTasks(result.changed)} ${done}`, () => void undo(id))
      onDone()
    } catch (error) {
      toast.error('Couldn’t change the tasks', messageOf(error))
    } finally {
      setBusy(false)
      refresh()
    }
  }

  const complete = useEffectEvent(() => void change({ status: 'completed' }, 'completed'))
  useEffect(() => {
    if (menu === 'complete') complete()
  }, [menu])

  return (
    <>
      <BulkBar label="Selected tasks">
        <span className="flex-none px-2 tabular-nums">
          {formatCount(tasks.length)}
          <span className="max-md:sr-only"> selected</span>
        </span>
        <BulkLine />
        <BulkAction disabled={isBusy} onClick={() => setMenu('complete')}>
          <Check /> Complete
        </BulkAction>
        <BulkAction disabled={isBusy} onClick={() => setMenu('assign')}>
          <UserRound /> Assign
        </BulkAction>
        <BulkAction disabled={isBusy} onClick={() => setMenu('date')}>
          <CalendarClock /> Due date
        </BulkAction>
        <BulkLine />
        <BulkAction aria-label="Clear selection" onClick={onDone}>
          <X />
        </BulkAction>
      </BulkBar>
      {menu === 'assign' && <AssignDialog count={tasks.length} onClose={() => setMenu(null)} onChoose={change} />}
      {menu === 'date' && <DueDateDialog count={tasks.length} onClose={() => setMenu(null)} onChoose={change} />}
    </>
  )
}

interface BulkDialogProps {
  count: number
  onClose: () => void
  onChoose: (wanted: Change, done: string) => Promise<void>
}

function AssignDialog({ count, onClose, onChoose }: BulkDialogProps) {
  const people = useQuery(orpc.tasks.assignable.queryOptions({ staleTime: 60_000 }))
  const form = useActionForm({
    initial: { assigneeIds: [] as string[] },
    check: ({ assigneeIds }) => ({ assigneeIds: assigneeIds.length === 0 ? taskMessages.assignees : undefined }),
    send: (values) => onChoose(values, 'assigned'),
  })
  return (
    <ActionDialog
      title={`Assign ${formatTasks(count)}`}
      description="This replaces the current assignees."
      form={form}
      action={{ label: 'Assign' }}
      onClose={onClose}
    >
      <Field label="Assignees" error={form.problems.assigneeIds}>
        <AssigneePicker
          value={form.values.assigneeIds}
          people={people.data ?? []}
          loading={people.isFetching}
          onChange={(assigneeIds) => form.set({ assigneeIds })}
        />
      </Field>
    </ActionDialog>
  )
}

function DueDateDialog({ count, onClose, onChoose }: BulkDialogProps) {
  const first = today(useClock())
  const form = useActionForm({
    initial: { dueDate: '' },
    check: ({ dueDate }) => ({
      dueDate: dueDate === '' ? taskMessages.dueDate : dueDate < first ? taskMessages.duePast : undefined,
    }),
    send: (values) => onChoose(values, `due ${formatDay(values.dueDate)}`),
  })
  return (
    <ActionDialog
      title={`Change due date of ${formatTasks(count)}`}
      description="The tasks keep their time of day."
      form={form}
      action={{ label: 'Change due date' }}
      onClose={onClose}
    >
      <Field label="Due date" error={form.problems.dueDate}>
        <DateInput {...form.bind('dueDate')} min={first} />
      </Field>
    </ActionDialog>
  )
}
