import type { TaskValues } from './task-values.ts'

/** What was typed for a new task and not sent, by the patient it is for: Esc and a click beside the dialog lose nothing. */
const drafts = new Map<string, TaskValues>()

const keyOf = (patientId: string | null): string => patientId ?? ''

export const recallDraft = (patientId: string | null): TaskValues | null => drafts.get(keyOf(patientId)) ?? null
export const keepDraft = (patientId: string | null, values: TaskValues): void => void drafts.set(keyOf(patientId), values)
export const dropDraft = (patientId: string | null): void => void drafts.delete(keyOf(patientId))
