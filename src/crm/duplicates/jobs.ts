import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { processQueue } from './find.ts'

const batchSize = 200

/** Searches for pairs of all contacts that were added or changed (after the migration, of everyone), in batches of one transaction each. */
export const findDuplicates = defineJob({
  name: 'duplicates.find',
  payload: z.object({}),
  cron: '* * * * *',
  async run({ db }) {
    while ((await processQueue(db, batchSize)) > 0) {
      // until the queue is empty, or another process is working on it
    }
  },
})
