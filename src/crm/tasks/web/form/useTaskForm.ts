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
import { changedFields, checkTask, dueHint, type TaskValues, valuesOf } from './task-values.ts'

interface Options {
  task: TaskData | null
  initial: TaskValues
  requireContact: boolean
  hours: readonly DayHours[]
  onSaved: () => void
}

/** The messages of spec 8. */
const messages = {
  created: 'Task created successfully. Email notifications sent in background.',
  updated: 'Task updated successfully',
  failed: 'Failed to save task. Please try again.',
}

/** The form for a new or an existing task, validated by the API contract. */
export function useTaskForm({ task, initial, requireContact, hours, onSaved }: Options) {
  const clock = useClock()
  const cache = useQueryClient()
  // The task that the form is based on; replaced after a conflict.
  const [base, setBase] = useState(task)
  const before = base && valuesOf(base)
  const save = useMutation({
    mutationFn: (ready: TaskForm) => {
      if (!base) return client.tasks.create(ready)
      return client.tasks.update({ id: base.id, version: base.version, ...changedFields(ready, taskForm.parse(valuesOf(base))) })
    },
  })
  const form = useActionForm<TaskValues, unknown, TaskData>({
    initial,
    check(values) {
      const checked = checkTask(values, { clock, requireContact, base: before })
      return 'errors' in checked ? checked.errors : {}
    },
    send: (values) => save.mutateAsync(taskForm.parse(values)),
    done: base ? messages.updated : messages.created,
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
      toast.error('Task not found', 'It was deleted, or it is no longer assigned to you. Nothing was saved.')
      return {}
    },
    failed: (message) => toast.error(messages.failed, message),
  })

  /** Resolves a conflict with someone else's saved version: keeps the typed values or takes theirs. */
  function resolveConflict(saved: TaskData, keep: 'mine' | 'theirs') {
    setBase(saved)
    form.rebase(valuesOf(saved), keep === 'mine' ? undefined : [])
  }

  return { form, resolveConflict, due: { firstDay: today(clock), hint: dueHint(form.values, before, clock, hours) } }
}
