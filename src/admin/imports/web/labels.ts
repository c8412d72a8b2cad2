import { formatCount } from '../../../ui/format.ts'
import type { ImportKind } from '../kind-rules.ts'
import type { ImportLine } from './upload-table.ts'

export const formatRows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`

/** The labels of each kind of import. */
export const kindLabels: Record<ImportKind, { label: string; one: string; many: string; hint: string }> = {
  patients: {
    label: 'Patients',
    one: 'patient',
    many: 'patients',
    hint: 'One row per patient, as exported from HubSpot, Salesforce, Jane or a spreadsheet.',
  },
  tasks: {
    label: 'Tasks',
    one: 'task',
    many: 'tasks',
    hint: 'One row per task with the title, the due date and the assignee’s email. If it is about a patient, also their email, phone number or ID.',
  },
  interactions: {
    label: 'Interactions',
    one: 'interaction',
    many: 'interactions',
    hint: 'One row per call, note, email or meeting with the patient’s email, phone number or ID, the date and the text.',
  },
  documents: {
    label: 'Documents',
    one: 'document',
    many: 'documents',
    hint: 'One row per file with the file name, the patient’s email, phone number or ID, and the category. You upload the files in the next step.',
  },
}

/** '2,480 patients' */
export const formatItems = (kind: ImportKind, count: number): string =>
  `${formatCount(count)} ${count === 1 ? kindLabels[kind].one : kindLabels[kind].many}`

/** The outcome of an import for the list: '2,480 added, 12 updated, 3 rejected'. */
export function formatOutcome({ kind, status, result, undone, kept }: ImportLine): string {
  switch (status) {
    case 'mapping':
      return 'Not imported yet'
    case 'checking':
      return 'Checking'
    case 'checked':
      return 'Checked, not imported yet'
    case 'undoing':
      return 'Undoing'
    case 'undone':
      return `Undone${kept > 0 ? `, ${formatItems(kind, kept)} kept` : ''}`
    case 'running':
      return 'Importing'
    case 'cancelled':
    case 'done': {
      const parts = [
        `${formatCount(result?.added ?? 0)} added`,
        result?.filled && `${formatCount(result.filled)} updated`,
        result?.skipped && `${formatCount(result.skipped)} skipped`,
        result?.errors && `${formatCount(result.errors)} rejected`,
      ].filter(Boolean)
      const partly = undone > 0 ? `, ${formatCount(undone)} undone` : ''
      return `${status === 'cancelled' ? 'Stopped: ' : ''}${parts.join(', ')}${partly}`
    }
  }
}
