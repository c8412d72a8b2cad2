import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeOld, remindOfDue } from './service.ts'

/** Reminds of every task whose moment has come. The browser decides nothing. */
export const remindOfTasks = defineJob({
  name: 'notifications.remind',
  payload: z.object({}),
  cron: '* * * * *',
  async run(scope) {
    while ((await remindOfDue(scope)) > 0) {
      // until nothing is due
    }
  },
})

export const purgeNotifications = defineJob({
  name: 'notifications.forget',
  payload: z.object({}),
  cron: '17 8 * * *',
  run: purgeOld,
})
