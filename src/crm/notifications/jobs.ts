import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeReadNotifications, createDueReminders } from './service.ts'

/** Creates reminders for every task that has become due. Only the server decides what is overdue. */
export const createTaskReminders = defineJob({
  name: 'notifications.remind',
  payload: z.object({}),
  cron: '* * * * *',
  async run(scope) {
    while ((await createDueReminders(scope)) > 0) {
      // until nothing more is due
    }
  },
})

export const purgeNotifications = defineJob({
  name: 'notifications.purge',
  payload: z.object({}),
  cron: '17 8 * * *',
  run: purgeReadNotifications,
})
