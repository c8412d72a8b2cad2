import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'

/** What a change may concern. An event carries topic and id, never data: anyone who hears it refetches under their own permissions. */
export const topics = [
  'contact',
  'vocabulary',
  'people',
  'bulk-change',
  'duplicate',
  'email-template',
  'import',
  'saved-view',
  'saved-report',
  'task',
  'notification',
  'document',
  'quickbooks',
  'receipt',
  'inbox',
  'mailbox',
  'appointment',
  'surgery',
  'quote',
  'practice',
  'lead',
  'api-key',
  'webhook',
  'retention',
] as const
export type Topic = (typeof topics)[number]

export const changeEvent = z.object({ topic: z.enum([...topics, 'connected']), id: z.string() })
export type ChangeEvent = z.output<typeof changeEvent>

export const eventsContract = {
  subscribe: oc
    .route({ method: 'GET', path: '/events', tags: ['Events'], summary: 'Changes as they happen' })
    .input(
      z.strictObject({
        /** Milliseconds: changes within this time before now are told, too, for a page that was drawn from data as old as this. */
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
