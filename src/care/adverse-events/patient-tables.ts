import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const adverseEventTables = {
  adverse_events: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`replace(${row}->>'kind', '_', ' ')` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    clinicalRecord: sql`true`,
    export: {
      row: sql`to_jsonb(mine) || jsonb_build_object('people_ids',
        (select coalesce(jsonb_agg(full_name order by full_name), '[]') from profiles where id = any(mine.people_ids))) - 'task_ids'`,
    },
  },
} satisfies Partial<PatientTables>
