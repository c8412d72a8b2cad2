import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const recallTables = {
  recall_patients: {
    owner: 'contact',
    // The undo of a merge keeps who was reached since.
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`(select title from recalls where id = (${row}->>'recall_id')::uuid)` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { row: sql`to_jsonb(mine) - 'key' || (select jsonb_build_object('recall', title) from recalls where id = mine.recall_id)` },
  },
  recall_attempts: { owner: { table: 'recall_patients', column: 'recall_patient_id' }, deletion: 'with-owner', export: {} },
} satisfies Partial<PatientTables>
