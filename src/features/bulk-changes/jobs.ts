import { z } from 'zod'
import { defineJob } from '../../server/jobs.ts'
import { runBulkChange } from './run.ts'

/** Does a bulk change, or takes it back, as its status says. */
export const changeInBulk = defineJob({
  name: 'bulk-changes.run',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) => runBulkChange(scope, id),
})
