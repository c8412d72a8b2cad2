import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const consentTables = {
  consents: {
    owner: 'contact',
    // A withdrawal after the merge holds whatever is undone.
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'basis'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: { cameWithForm: () => sql`child.basis = 'inquiry' and child.source = 'lead'` },
    importUndo: 'deletes-rows',
    export: {},
  },
} satisfies Partial<PatientTables>
