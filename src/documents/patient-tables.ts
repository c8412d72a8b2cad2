import { sql } from 'drizzle-orm'
import type { PatientTables } from '../kernel/patient-tables/registry.ts'

export const documentTables = {
  documents: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'name'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    // A deleted document may belong to someone else and have been added here by mistake.
    export: { where: ({ contactId }) => sql`mine.contact_id = ${contactId} and mine.deleted_at is null` },
  },
} satisfies Partial<PatientTables>
