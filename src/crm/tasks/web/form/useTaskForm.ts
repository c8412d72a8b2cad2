import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { client, codeOf, orpc } from '../../../../ui/client/api.ts'
import { applyFieldErrors } from '../../../../ui/client/form-errors.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/toast.ts'
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

/** The form over a task, or over none yet: checked by the contract on submit, then live once an error shows. */
export function useTaskForm({ task, initial, requireContact, hours, onSaved }: Options) {
  const clock = useClock()
  const cache = useQueryClient()
  // What the form was filled from; a newer one once someone else has changed it.
  const [base, setBase] = useState(task)
  const [conflict, setConflict] = useState<TaskData | null>(null)
  const before = base && valuesOf(base)
  const form = useForm<TaskValues, unknown, TaskForm>({
    defaultValues: initial,
    resolver: (values) => {
      const checked = checkTask(values, { clock, requireContact, base: before })
      if ('ready' in checked) return { values: checked.ready, errors: {} }
      const errors = Object.entries(checked.errors).map(([field, message]) => [field, { type: 'check', message }])
      return { values: {}, errors: Object.fromEntries(errors) as Record<string, { type: string; message: string }> }
    },
  })
  const [dueDate, hasTimeConstraint, dueTimeConstraint] = useWatch({
    control: form.control,
    name: ['dueDate', 'hasTimeConstraint', 'dueTimeConstraint'],
  })
  // Read here, or the form does not keep it.
  const { dirtyFields } = form.formState
  const save = useMutation({
    mutationFn: (ready: TaskForm) => {
      if (!base) return client.tasks.create(ready)
      return client.tasks.update({ id: base.id, version: base.version, ...changedOf(ready, taskForm.parse(valuesOf(base))) })
    },
  })

  async function submit(ready: TaskForm) {
    try {
      await save.mutateAsync(ready)
      void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
      toast.success(base ? said.updated : said.created)
      onSaved()
    } catch (error) {
      if (codeOf(error) === 'CONFLICT' && base) {
        const current = await client.tasks.get({ id: base.id }).catch(() => null)
        if (current) return setConflict(current)
      }
      if (codeOf(error) === 'NOT_FOUND') toast.error('Task not found', 'It was deleted, or it is no longer yours. Nothing was saved.')
      else if (!applyFieldErrors(form, error)) toast.error(said.failed)
    }
  }

  /** Goes on over what someone else has saved: with what is typed, or with theirs. */
  function settle(keep: 'mine' | 'theirs') {
    if (!conflict) return
    const typed = form.getValues()
    const theirs = valuesOf(conflict)
    const mine = Object.keys(dirtyFields) as (keyof TaskValues)[]
    form.reset(theirs)
    if (keep === 'mine')
      form.reset({ ...theirs, ...Object.fromEntries(mine.map((name) => [name, typed[name]])) }, { keepDefaultValues: true })
    setBase(conflict)
    setConflict(null)
  }

  return {
    form,
    submit,
    isSaving: save.isPending,
    conflict,
    settle,
    firstDay: today(clock),
    dueHint: dueHint({ dueDate, hasTimeConstraint, dueTimeConstraint }, before, clock, hours),
  }
}
