import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const duplicateTables = {
  duplicate_checks: {
    owner: null,
    merge: { stays: 'A merge is itself a reason to check again' },
    deletion: { stays: 'A deletion is itself a reason to check again' },
    retention: 'Until checked, a few seconds later',
    export: { leftOut: 'Patients who are to be checked for duplicates' },
  },
  duplicate_pairs: {
    owner: null,
    merge: { stays: 'A patient who was merged may come back, and a dismissed pair stays dismissed' },
    deletion: { stays: 'The next check deletes pairs of patients who do not exist, unless dismissed' },
    retention: 'As long as both look alike',
    export: { leftOut: 'A guess about two patients' },
  },
} satisfies Partial<PatientTables>
