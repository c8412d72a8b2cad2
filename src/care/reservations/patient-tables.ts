import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const reservationTables = {
  // Rows belong to an appointment or a surgery; triggers on both tables write and delete them.
  time_holds: {
    owner: { table: 'appointments', column: 'appointment_id' },
    deletion: 'cascade',
    export: { leftOut: 'The times of appointments and surgeries that are in the record' },
  },
} satisfies Partial<PatientTables>
