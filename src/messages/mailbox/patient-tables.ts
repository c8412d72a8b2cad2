import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const mailboxTables = {
  mailbox_links: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'subject'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
} satisfies Partial<PatientTables>
