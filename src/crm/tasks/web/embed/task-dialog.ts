import { useSyncExternalStore } from 'react'

/** A patient whom a task is for. */
export interface TaskPatient {
  id: string
  firstName: string
  lastName: string
}

/** What the task dialog is open for: a new task, for this patient where it was opened from one, or a task that there is. */
export type TaskDialogState = { kind: 'new'; patient: TaskPatient | null } | { kind: 'edit'; id: string }

let state: TaskDialogState | null = null
const watchers = new Set<() => void>()

function set(next: TaskDialogState | null) {
  state = next
  for (const watch of watchers) watch()
}

/** Opens the dialog for a new task. For a patient, where it was opened from one: then the task needs one. */
export const createTask = (patient: TaskPatient | null = null): void => set({ kind: 'new', patient })

/** Opens the dialog for a task that there is. */
export const editTask = (id: string): void => set({ kind: 'edit', id })

export const closeTask = (): void => set(null)

/** What the one dialog, which stands in the shell, shows; null when it is closed. */
export function useTaskDialog(): TaskDialogState | null {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => state,
  )
}
