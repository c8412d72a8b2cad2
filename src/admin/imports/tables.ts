import type { ImportKind } from './kind-rules.ts'
import { documentRecords } from './rows/documents.ts'
import type { ImportTable } from './import-table.ts'
import { interactionRecords } from './rows/interactions.ts'
import { patientTable } from './rows/patients.ts'
import { recordTable } from './rows/records.ts'
import { taskRecords } from './rows/tasks.ts'

/** The implementation of each kind of import. */
export const importTables: Record<ImportKind, ImportTable> = {
  patients: patientTable,
  tasks: recordTable(taskRecords),
  interactions: recordTable(interactionRecords),
  documents: recordTable(documentRecords),
}
