import { sql } from 'drizzle-orm'
import type { OfContact, PatientTables } from '../../kernel/patient-tables/registry.ts'

const kept = {
  owner: 'contact',
  deletion: 'with-patient',
  restore: 'unchanged',
  retention: 'keeps-lead',
  importUndo: 'keeps-patient',
  clinicalRecord: sql`true`,
} as const satisfies Partial<OfContact>

export const healthTables = {
  // The undo of a merge reverts nothing in a chart: what was learned since stays true.
  health_entries: { ...kept, merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'name'` }, export: {} },
  health_reviews: { ...kept, merge: { key: 'id', title: (row) => sql`${row}->>'section'` }, export: {} },
  measurements: { ...kept, merge: { key: 'id', title: (row) => sql`${row}->>'measured_on'` }, export: {} },
} satisfies Partial<PatientTables>
