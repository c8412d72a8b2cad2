import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const importTables = {
  import_findings: {
    owner: null,
    merge: { stays: 'It says whom a row of a file was like when it was checked' },
    deletion: { stays: 'It says whom a row of a file was like when it was checked' },
    retention: '30 days, with its import',
    export: { leftOut: 'Rows of a file as they were read; what was imported from them is in the record' },
  },
  import_outcomes: {
    owner: null,
    merge: { stays: 'Undo leaves a patient who is gone or was changed since' },
    deletion: { stays: 'Undo leaves a patient who is gone or was changed since' },
    retention: '30 days, with its import',
    export: { leftOut: 'What undo of an import needs' },
  },
} satisfies Partial<PatientTables>
