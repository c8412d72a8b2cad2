import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const duplicateTables = {
  duplicate_checks: {
    owner: null,
    merge: { stays: 'A merge queues the patient for another check' },
    deletion: { stays: 'A deletion queues the patient for another check' },
    retention: 'Kept until checked, a few seconds later',
    export: { leftOut: 'A queue of patients to check for duplicates' },
  },
  duplicate_pairs: {
    owner: null,
    merge: { stays: 'A merge can be undone, and a dismissed pair stays dismissed' },
    deletion: { stays: 'The next check deletes pairs of patients who no longer exist, unless dismissed' },
    retention: 'Kept as long as the two patients match',
    export: { leftOut: 'A guess about two patients' },
  },
} satisfies Partial<PatientTables>
