import { useSyncExternalStore } from 'react'

/** The patient of a task. */
export interface TaskPatient {
  id: string
  firstName: string
  lastName: string
}

/** What the task dialog shows: a new task, with the patient if it was opened from a patient, or an existing task. */
export type TaskDialogState = { kind: 'new'; patient: TaskPatient | null } | { kind: 'edit'; id: string }

let state: TaskDialogState | null = null
const listeners = new Set<() => void>()

function set(next: TaskDialogState | null) {
  state = next
  for (const listener of listeners) listener()
}

/** Opens the dialog for a new task. If opened from a patient, a patient is required. */
export const createTask = (patient: TaskPatient | null = null): void => set({ kind: 'new', patient })

/** Opens the dialog for an existing task. */
export const editTask = (id: string): void => set({ kind: 'edit', id })

export const closeTask = (): void => set(null)

/** The state of the task dialog in the shell. Null: closed. */
export function useTaskDialog(): TaskDialogState | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}
