import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const interactionTables = {
  interactions: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'description'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    // With automatic emails, such as the welcome email.
    retention: {
      cameWithForm: (before) => sql`child.created_at < ${before} and (child.type = 'contact_created'
        or child.type = 'email' and child.created_by is null and child.metadata->>'direction' = 'outbound')`,
    },
    importUndo: 'deletes-rows',
    export: {},
  },
} satisfies Partial<PatientTables>
