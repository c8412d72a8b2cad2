import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const referralTables = {
  referrals: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`case ${row}->>'side' when 'referrer' then 'Referred a patient' else 'Was referred' end` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    // Without the other patient's name.
    export: {},
  },
} satisfies Partial<PatientTables>
