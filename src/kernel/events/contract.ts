import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'

/** Topics of changes. An event only has a topic and an id: subscribers refetch the data with their own permissions. */
export const topics = [
  'contact',
  'vocabulary',
  'people',
  'bulk-change',
  'duplicate',
  'email-template',
  'form',
  'form-template',
  'consent-form',
  'consent-template',
  'import',
  'saved-view',
  'saved-report',
  'task',
  'notification',
  'document',
  'quickbooks',
  'receipt',
  'payout',
  'dispute',
  'inbox',
  'replying',
  'mailbox',
  'appointment',
  'waiting-list',
  'surgery',
  'tablet',
  'chart',
  'quote',
  'practice',
  'note',
  'photo',
  'gallery',
  'stock',
  'recall',
  'sequence',
  'adverse-event',
  'lead',
  'campaign',
  'api-key',
  'signing-key',
  'webhook',
  'retention',
] as const
export type Topic = (typeof topics)[number]

export const changeEvent = z.object({ topic: z.enum([...topics, 'connected']), id: z.string() })
export type ChangeEvent = z.output<typeof changeEvent>

export const eventsContract = {
  subscribe: oc
    .route({ method: 'GET', path: '/events', tags: ['Events'], summary: 'Stream changes as they happen' })
    .input(
      z.strictObject({
        /** Milliseconds: also sends changes from this long ago, for a page that shows data of that age. */
        replay: z.coerce.number().int().min(0).default(0),
      }),
    )
    .errors({
      TOO_MANY_REQUESTS: {
        status: 429,
        message: 'Too many pages are listening for changes. Close some of them, or try again in a minute.',
      },
    })
    .output(eventIterator(changeEvent)),
}
