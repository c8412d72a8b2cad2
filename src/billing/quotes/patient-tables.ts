import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const quoteTables = {
  quotes: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'title'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
} satisfies Partial<PatientTables>

/** After receipts, which it refers to. */
export const financingTables = {
  quote_financings: {
    owner: { table: 'quotes', column: 'quote_id' },
    deletion: 'with-owner',
    export: {},
  },
} satisfies Partial<PatientTables>
