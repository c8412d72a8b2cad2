import { oc } from '@orpc/contract'
import { z } from 'zod'

/** The feed of the signed-in user. Its address is only shown when it is created. */
const feed = z.object({
  createdAt: z.date(),
  /** When a calendar program last fetched it. */
  readAt: z.date().nullable(),
})
const tags = ['Calendar feeds']

export const calendarFeedsContract = {
  mine: oc
    .route({ method: 'GET', path: '/calendar-feed', tags, summary: 'Get the signed-in user’s calendar feed' })
    .output(z.object({ feed: feed.nullable() })),
  create: oc
    .route({
      method: 'POST',
      path: '/calendar-feed',
      tags,
      summary: 'Create a private link to the signed-in user’s calendar; an earlier one no longer works',
    })
    .output(z.object({ url: z.url(), feed })),
  revoke: oc.route({ method: 'DELETE', path: '/calendar-feed', tags, summary: 'Revoke the private link to the signed-in user’s calendar' }),
}
