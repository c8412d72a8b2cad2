import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const importTables = {
  import_findings: {
    owner: null,
    merge: { stays: 'It records which patient a row matched at the time of the check' },
    deletion: { stays: 'It records which patient a row matched at the time of the check' },
    retention: '30 days, with its import',
    export: { leftOut: 'Raw rows of a file; the imported data is in the record' },
  },
  import_outcomes: {
    owner: null,
    merge: { stays: 'Undo keeps patients who were deleted or changed since' },
    deletion: { stays: 'Undo keeps patients who were deleted or changed since' },
    retention: '30 days, with its import',
    export: { leftOut: 'Only used to undo an import' },
  },
} satisfies Partial<PatientTables>
