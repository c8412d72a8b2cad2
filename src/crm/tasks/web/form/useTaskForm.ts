import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import type { DayHours } from '../../../../platform/practice/rules.ts'
import { type TaskForm, taskForm } from '../../contract.ts'
import type { TaskData } from '../task-data.ts'
import { changedOf, checkTask, dueHint, type TaskValues, valuesOf } from './task-values.ts'

interface Options {
  task: TaskData | null
  initial: TaskValues
  requireContact: boolean
  hours: readonly DayHours[]
  onSaved: () => void
}

/** Spec 8's words. */
const said = {
  created: 'Task created successfully. Email notifications sent in background.',
  updated: 'Task updated successfully',
  failed: 'Failed to save task. Please try again.',
}

/** The form over a task, or over none yet: checked by the contract. */
export function useTaskForm({ task, initial, requireContact, hours, onSaved }: Options) {
  const clock = useClock()
  const cache = useQueryClient()
  // What the form was filled from; a newer one once someone else has changed it.
  const [base, setBase] = useState(task)
  const before = base && valuesOf(base)
  const save = useMutation({
    mutationFn: (ready: TaskForm) => {
      if (!base) return client.tasks.create(ready)
      return client.tasks.update({ id: base.id, version: base.version, ...changedOf(ready, taskForm.parse(valuesOf(base))) })
    },
  })
  const form = useActionForm<TaskValues, unknown, TaskData>({
    initial,
    check(values) {
      const checked = checkTask(values, { clock, requireContact, base: before })
      return 'errors' in checked ? checked.errors : {}
    },
    send: (values) => save.mutateAsync(taskForm.parse(values)),
    done: base ? said.updated : said.created,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
      onSaved()
    },
    async theirs(error) {
      if (codeOf(error) !== 'CONFLICT' || !base) return null
      try {
        return await client.tasks.get({ id: base.id })
      } catch {
        return null
      }
    },
    onRefused(error) {
      if (codeOf(error) !== 'NOT_FOUND') return undefined
      toast.error('Task not found', 'It was deleted, or it is no longer yours. Nothing was saved.')
      return {}
    },
    failed: () => toast.error(said.failed),
  })

  /** Goes on over what someone else has saved: with what is typed, or with theirs. */
  function settle(saved: TaskData, keep: 'mine' | 'theirs') {
    setBase(saved)
    form.rebase(valuesOf(saved), keep === 'mine' ? undefined : [])
  }

  return { form, settle, due: { firstDay: today(clock), hint: dueHint(form.values, before, clock, hours) } }
}
