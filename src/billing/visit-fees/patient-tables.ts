import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const visitFeeTables = {
  visit_fees: {
    owner: { table: 'appointments', column: 'appointment_id' },
    deletion: 'with-owner',
    export: { order: 'created_at' },
  },
} satisfies Partial<PatientTables>
