import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const consentFormTables = {
  consent_forms: {
    owner: 'contact',
    // Each is what its patient was given, so both are kept; a signed one cannot be changed back.
    merge: {
      key: 'id',
      keepsChanges: true,
      title: (row) => sql`(select definition->'title'->>'en' from consent_template_versions where id = (${row}->>'version_id')::uuid)`,
    },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    clinicalRecord: sql`signed_at is not null`,
    // With its text: an unsigned one has none yet.
    export: {
      row: sql`to_jsonb(mine) || jsonb_build_object('template', (select definition from consent_template_versions where id = mine.version_id))`,
    },
  },
  consent_events: { owner: { table: 'consent_forms', column: 'consent_form_id' }, deletion: 'with-owner', export: {} },
  consent_files: { owner: { table: 'consent_forms', column: 'consent_form_id' }, deletion: 'with-owner', export: {} },
} satisfies Partial<PatientTables>
