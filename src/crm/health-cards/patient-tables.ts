import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'
import { sealPurpose } from './rules.ts'

export const healthCardTables = {
  health_cards: {
    owner: 'contact',
    merge: { key: 'id', unique: 'contact_id', title: (row) => sql`'•••• ' || (${row}->>'last_digits')` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    // The number belongs to the patient.
    export: { sealed: { column: 'sealed_number', purpose: sealPurpose, as: 'number' } },
  },
} satisfies Partial<PatientTables>
