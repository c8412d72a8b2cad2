import { dayAt } from '../../../shared/zoned-time.ts'
import { checkBatch } from '../run/check.ts'
import type { ImportTable } from '../import-table.ts'
import { purgeKeys } from '../run/keys.ts'
import { patientRows } from './patient-rows.ts'
import { runBatch } from '../run/run.ts'
import { undoBatch } from '../run/undo.ts'
import { readVocabulary } from './vocabulary.ts'

/** Patients have their own table because existing ones can be filled, unlike other records. */
export const patientTable: ImportTable = {
  async open({ db, env, now }) {
    const vocabulary = await readVocabulary(db)
    const timeZone = env.PRACTICE_TIME_ZONE
    return {
      rules: patientRows(vocabulary, { timeZone, today: dayAt(now(), timeZone) }),
      check: (tx, batch) => checkBatch(tx, { ...batch, vocabulary }),
      run: (tx, scope, batch) => runBatch(tx, scope, { ...batch, vocabulary }),
    }
  },
  endCheck: (tx, { id }) => purgeKeys(tx, id),
  endRun: async () => {},
  undo: undoBatch,
}
