import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const appointmentTables = {
  appointments: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'type'` },
    deletion: 'with-patient',
    restore: 'cancelled-if-taken',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  appointment_mails: {
    owner: { table: 'appointments', column: 'appointment_id' },
    deletion: 'with-owner',
    export: { names: { provider_id: 'profiles' } },
  },
  appointment_links: {
    owner: { table: 'appointments', column: 'appointment_id' },
    deletion: 'with-owner',
    export: { leftOut: 'Hashes of secrets in links' },
  },
  appointment_requests: {
    owner: { table: 'appointments', column: 'appointment_id' },
    deletion: 'with-owner',
    export: { order: 'created_at' },
  },
  visit_terms: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'accepted_at'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { order: 'accepted_at' },
  },
} satisfies Partial<PatientTables>
