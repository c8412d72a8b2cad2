import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const waitingListTables = {
  waiting_list_entries: {
    owner: 'contact',
    merge: {
      key: 'id',
      keepsChanges: true,
      title: (row) => sql`(select name from visit_types where id = (${row}->>'visit_type_id')::uuid)`,
    },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { row: sql`to_jsonb(mine) - 'open_at' - 'already_open'` },
  },
  waiting_offers: {
    owner: { table: 'waiting_list_entries', column: 'entry_id' },
    deletion: 'with-owner',
    export: { order: 'created_at' },
  },
} satisfies Partial<PatientTables>
