import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const noteTables = {
  clinical_notes: {
    owner: 'contact',
    // A signed note cannot be changed back.
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'title'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    clinicalRecord: sql`true`,
    export: {},
  },
  note_addenda: {
    owner: { table: 'clinical_notes', column: 'note_id' },
    deletion: 'with-owner',
    export: {},
  },
  note_revisions: {
    owner: { table: 'clinical_notes', column: 'note_id' },
    deletion: 'with-owner',
    export: { leftOut: 'Earlier states of drafts; the notes themselves are included' },
  },
} satisfies Partial<PatientTables>
