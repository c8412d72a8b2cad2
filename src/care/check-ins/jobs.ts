import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { followUnanswered, sendDueCheckIns } from './send.ts'

/** Sends check-ins that are due, and follows those that no one has answered. */
export const runCheckIns = defineJob({
  name: 'check-ins.run',
  payload: z.object({}),
  cron: '*/10 * * * *',
  async run(scope) {
    await sendDueCheckIns(scope)
    await followUnanswered(scope)
  },
})
