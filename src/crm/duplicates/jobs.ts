import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { checkWaiting } from './find.ts'

const batch = 200

/** Looks for the pairs of all contacts that were added or changed; after the migration, of everyone. In batches, each whole or not at all. */
export const findDuplicates = defineJob({
  name: 'duplicates.find',
  payload: z.object({}),
  cron: '* * * * *',
  async run({ db }) {
    while ((await checkWaiting(db, batch)) > 0) {
      // until no one waits, or another process does it
    }
  },
})
