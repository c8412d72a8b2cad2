import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Whether there is one; its address is shown when it is made, and never again. */
const feed = z.object({
  createdAt: z.date(),
  /** When a program last fetched it. */
  readAt: z.date().nullable(),
})
const tags = ['Calendar feeds']

export const calendarFeedsContract = {
  mine: oc
    .route({ method: 'GET', path: '/calendar-feed', tags, summary: 'Whether one’s own calendar can be subscribed to' })
    .output(z.object({ feed: feed.nullable() })),
  make: oc
    .route({
      method: 'POST',
      path: '/calendar-feed',
      tags,
      summary: 'Make the secret address of one’s own calendar; an earlier one no longer works',
    })
    .output(z.object({ url: z.url(), feed })),
  revoke: oc.route({ method: 'DELETE', path: '/calendar-feed', tags, summary: 'End the secret address of one’s own calendar' }),
}
