import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const bulkChangeTables = {
  bulk_change_items: {
    owner: null,
    merge: { stays: 'Undo skips patients who no longer exist' },
    deletion: { stays: 'Undo skips patients who no longer exist, and includes restored ones' },
    retention: 'Kept as long as the bulk change, which is not deleted',
    export: { leftOut: 'Undo data of bulk changes; the change itself is in the audit log' },
  },
} satisfies Partial<PatientTables>
