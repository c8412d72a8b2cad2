import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { openQuickBooks } from './connection.ts'
import { readLists } from './lists.ts'

/** Reads the company's lists every hour. If QuickBooks is down, the old lists stay until the next run. */
export const refreshLists = defineJob({
  name: 'quickbooks.refresh-lists',
  payload: z.object({}),
  maxAttempts: 3,
  async run(scope) {
    const quickBooks = await openQuickBooks(scope)
    const failed = quickBooks && (await readLists(scope, quickBooks))
    if (failed) scope.log.warn({ kind: failed.kind }, 'The lists of QuickBooks could not be read')
  },
})

export const refreshListsHourly = defineJob({
  name: 'quickbooks.refresh-lists-hourly',
  payload: z.object({}),
  cron: '23 * * * *',
  run: (scope) => refreshLists.run(scope, {}, { last: true }),
})
