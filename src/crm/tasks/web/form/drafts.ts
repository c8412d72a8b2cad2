import type { TaskValues } from './task-values.ts'

/** Unsaved new tasks by patient, so that Esc or a click outside the dialog loses nothing. */
const drafts = new Map<string, TaskValues>()

const keyOf = (patientId: string | null): string => patientId ?? ''

export const loadDraft = (patientId: string | null): TaskValues | null => drafts.get(keyOf(patientId)) ?? null
export const saveDraft = (patientId: string | null, values: TaskValues): void => void drafts.set(keyOf(patientId), values)
export const deleteDraft = (patientId: string | null): void => void drafts.delete(keyOf(patientId))
