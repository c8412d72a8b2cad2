import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const formTables = {
  forms: {
    owner: 'contact',
    // Each form asks its version's questions, so both are kept.
    merge: {
      key: 'id',
      keepsChanges: true,
      title: (row) => sql`(select definition->'title'->>'en' from form_versions where id = (${row}->>'version_id')::uuid)`,
    },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    clinicalRecord: sql`submitted_at is not null`,
    // With its questions: the answers say nothing without them.
    export: {
      row: sql`to_jsonb(mine) || jsonb_build_object('form', (select definition from form_versions where id = mine.version_id))`,
    },
  },
  form_reviews: {
    owner: { table: 'forms', column: 'form_id' },
    deletion: 'with-owner',
    export: {},
  },
  form_decisions: {
    owner: { table: 'forms', column: 'form_id' },
    deletion: 'with-owner',
    export: {},
  },
} satisfies Partial<PatientTables>
