import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

const kept = {
  owner: 'contact',
  deletion: 'with-patient',
  restore: 'unchanged',
  retention: 'keeps-lead',
  importUndo: 'keeps-patient',
  clinicalRecord: sql`true`,
} as const

export const photoUseTables = {
  photo_consents: { ...kept, merge: { key: 'id', title: (row) => sql`${row}->>'note'` }, export: {} },
  photo_links: {
    ...kept,
    merge: { key: 'id', title: (row) => sql`${row}->>'recipient'` },
    export: { row: sql`to_jsonb(mine) - 'token_hash'` },
  },
  photo_uses: { owner: { table: 'photos', column: 'photo_id' }, deletion: 'with-owner', export: {} },
  photo_releases: { owner: { table: 'photos', column: 'photo_id' }, deletion: 'with-owner', export: {} },
} satisfies Partial<PatientTables>
