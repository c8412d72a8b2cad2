import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const sequenceTables = {
  automation_state: {
    owner: 'contact',
    merge: {
      key: 'id',
      unique: 'automation',
      title: (row) => sql`coalesce((select name from sequences where id = (${row}->>'sequence_id')::uuid), ${row}->>'automation')`,
    },
    deletion: 'with-patient',
    restore: 'unchanged',
    // What a sequence does by itself is no contact with a lead.
    retention: { cameWithForm: () => sql`true` },
    importUndo: 'keeps-patient',
    export: {},
  },
  sequence_steps: {
    owner: { table: 'automation_state', column: 'state_id' },
    deletion: 'with-owner',
    export: { row: sql`to_jsonb(mine) - 'click_token'` },
  },
} satisfies Partial<PatientTables>
