import { formatCount } from '../../../ui/format.ts'
import type { ImportKind } from '../kind-rules.ts'
import type { ImportLine } from './calls.ts'

export const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`

/** What is imported, as it is called. */
export const kindWords: Record<ImportKind, { label: string; one: string; many: string; hint: string }> = {
  patients: {
    label: 'Patients',
    one: 'patient',
    many: 'patients',
    hint: 'A row for each patient, as HubSpot, Salesforce, Jane or a spreadsheet export it.',
  },
  tasks: {
    label: 'Tasks',
    one: 'task',
    many: 'tasks',
    hint: 'A row for each task: its title, the day it is due, and the email of whoever it is assigned to. If it is about a patient, also their email, phone number or ID.',
  },
  interactions: {
    label: 'Interactions',
    one: 'interaction',
    many: 'interactions',
    hint: 'A row for each call, note, email or meeting: the patient’s email, phone number or ID, when it was, and what was said.',
  },
  documents: {
    label: 'Documents',
    one: 'document',
    many: 'documents',
    hint: 'A row for each file: its name, the patient’s email, phone number or ID, and what it is filed under. The files come in the next step.',
  },
}

/** '2,480 patients' */
export const things = (kind: ImportKind, count: number): string =>
  `${formatCount(count)} ${count === 1 ? kindWords[kind].one : kindWords[kind].many}`

/** What became of an import, for its line in the list: '2,480 added, 12 filled in, 3 refused'. */
export function formatOutcome({ kind, status, result, undone, kept }: ImportLine): string {
  switch (status) {
    case 'mapping':
      return 'Not imported yet'
    case 'checking':
      return 'Being checked'
    case 'checked':
      return 'Checked, not imported yet'
    case 'undoing':
      return 'Being undone'
    case 'undone':
      return `Undone${kept > 0 ? `, ${things(kind, kept)} kept` : ''}`
    case 'running':
      return 'Being imported'
    case 'cancelled':
    case 'done': {
      const parts = [
        `${formatCount(result?.added ?? 0)} added`,
        result?.filled && `${formatCount(result.filled)} filled in`,
        result?.skipped && `${formatCount(result.skipped)} skipped`,
        result?.errors && `${formatCount(result.errors)} refused`,
      ].filter(Boolean)
      const partly = undone > 0 ? `, ${formatCount(undone)} undone` : ''
      return `${status === 'cancelled' ? 'Stopped: ' : ''}${parts.join(', ')}${partly}`
    }
  }
}
