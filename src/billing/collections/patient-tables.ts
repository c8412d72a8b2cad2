import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const collectionTables = {
  ledger_entries: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'description'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  collection_notes: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'kind'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
} satisfies Partial<PatientTables>
