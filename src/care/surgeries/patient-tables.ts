import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const surgeryTables = {
  surgeries: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->'procedures'->0->>'name'` },
    deletion: 'with-patient',
    restore: 'cancelled-if-taken',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {
      row: sql`to_jsonb(mine) || jsonb_build_object('assistant_ids',
        (select coalesce(jsonb_agg(full_name order by full_name), '[]') from profiles where id = any(mine.assistant_ids)))`,
    },
  },
  surgery_items: {
    owner: { table: 'surgeries', column: 'surgery_id' },
    deletion: 'with-owner',
    export: { names: { done_by: 'profiles', procedure_id: 'procedures' } },
  },
  safety_answers: {
    owner: { table: 'surgeries', column: 'surgery_id' },
    deletion: 'with-owner',
    export: {},
  },
  safety_phases: {
    owner: { table: 'surgeries', column: 'surgery_id' },
    deletion: 'with-owner',
    export: {},
  },
} satisfies Partial<PatientTables>
