import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const tagTables = {
  contact_tags: {
    owner: 'contact',
    merge: { key: 'tag_id', unique: 'tag_id', title: (row) => sql`(select name from tags where id = (${row}->>'tag_id')::uuid)` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'deletes-rows',
    export: { order: 'created_at' },
  },
} satisfies Partial<PatientTables>
