import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const bulkChangeTables = {
  bulk_change_items: {
    owner: null,
    merge: { stays: 'Undo skips a patient who does not exist' },
    deletion: { stays: 'Undo skips a patient who does not exist, and finds one who came back' },
    retention: 'As long as the bulk change, which is not deleted',
    export: { leftOut: 'What undo of a bulk change needs; the change itself is in the audit log' },
  },
} satisfies Partial<PatientTables>
