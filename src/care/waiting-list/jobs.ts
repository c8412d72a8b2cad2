import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { offerTimes, settle } from './fill.ts'

/**
 * Ends offers and entries whose time is over, and offers times that are free to patients who wait. Every minute, because times become free in many ways:
 * appointments and surgeries are cancelled or moved, and hours and subscribed calendars change.
 */
export const offerOpenings = defineJob({
  name: 'waiting-list.offer',
  payload: z.object({}),
  cron: '* * * * *',
  async run(scope) {
    await settle(scope)
    await offerTimes(scope)
  },
})
