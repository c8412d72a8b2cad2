import type { ImportKind } from './kind-rules.ts'
import { documentRecords } from './documents.ts'
import type { ImportTable } from './import-table.ts'
import { interactionRecords } from './interactions.ts'
import { patientTable } from './patients.ts'
import { recordTable } from './records.ts'
import { taskRecords } from './tasks.ts'

/** Everything that can be imported. */
export const importTables: Record<ImportKind, ImportTable> = {
  patients: patientTable,
  tasks: recordTable(taskRecords),
  interactions: recordTable(interactionRecords),
  documents: recordTable(documentRecords),
}
