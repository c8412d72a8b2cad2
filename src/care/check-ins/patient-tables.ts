import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const checkInTables = {
  check_ins: {
    owner: { table: 'surgeries', column: 'surgery_id' },
    deletion: 'with-owner',
    export: {},
  },
} satisfies Partial<PatientTables>
