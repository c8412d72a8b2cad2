import { z } from 'zod'
import { defineJob, enqueueEach } from '../../kernel/jobs.ts'
import { fetchCalendar } from './fetch.ts'
import { subscribedCalendars } from './table.ts'

export const readCalendar = defineJob({
  name: 'subscribed-calendars.read',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 2,
  after: 'people',
  run: (scope, { id }) => fetchCalendar(scope, id),
})

/** Queues a reading of each calendar. */
export const readCalendars = defineJob({
  name: 'subscribed-calendars.read-all',
  payload: z.object({}),
  cron: '*/15 * * * *',
  async run({ db }) {
    const all = await db.select({ id: subscribedCalendars.id }).from(subscribedCalendars)
    await enqueueEach(
      db,
      readCalendar,
      all.map(({ id }) => ({ payload: { id }, key: `${readCalendar.name} ${id}` })),
    )
  },
})
