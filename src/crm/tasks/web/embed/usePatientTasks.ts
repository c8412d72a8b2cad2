import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { isOpen } from '../../rules.ts'
import { createTask, type TaskPatient } from './task-dialog.ts'

/** Live list of a patient's open and completed tasks that the user may see. */
export function usePatientTasks(contactId: string) {
  const cache = useQueryClient()
  const tasks = useQuery(orpc.tasks.ofContact.queryOptions({ input: { contactId } }))
  useLive(['task', 'contact'], () => void cache.invalidateQueries({ queryKey: orpc.tasks.key() }), { debounceMs: 300 })
  const all = tasks.data ?? []
  return { tasks, open: all.filter(({ status }) => isOpen(status)), done: all.filter(({ status }) => !isOpen(status)) }
}

/** The keyboard shortcut that creates a task for the patient on the page. */
export function useTaskKey({ id, firstName, lastName }: TaskPatient): void {
  useHotkeys(
    useMemo<Hotkey[]>(
      () => [{ keys: 't', label: 'Create Task', group: 'Patient', run: () => createTask({ id, firstName, lastName }) }],
      [id, firstName, lastName],
    ),
  )
}
