import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages } from '../../shared/page-lists.ts'
import { hookEvents } from './rules.ts'

/** More would indicate a mistake. */
export const maxWebhooks = 20

const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  createdAt: z.date(),
  /** When it was turned off; null while on. */
  disabledAt: z.date().nullable(),
  /** Turned off automatically after days of failures. */
  gaveUp: z.boolean(),
  /** Start of the current failures; null if the last delivery succeeded. */
  failingSince: z.date().nullable(),
  deliveredAt: z.date().nullable(),
  /** Deliveries waiting for their first or next try. */
  waiting: z.number().int(),
})
export type Webhook = z.output<typeof webhook>

const deliveryStates = ['waiting', 'delivered', 'failed'] as const
const delivery = z.object({
  id: z.uuid(),
  event: z.string(),
  /** Id of the patient, appointment, ... */
  subjectId: z.uuid(),
  createdAt: z.date(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  nextAttemptAt: z.date().nullable(),
  triedAt: z.date().nullable(),
  /** Response status of the last try; null without a response. */
  status: z.number().int().nullable(),
  /** Why the last try failed. */
  failure: z.enum(['address', 'status', 'timeout', 'network']).nullable(),
})

const url = z.string('Enter an address').trim().min(1, 'Enter an address').max(2_000, 'Use at most 2,000 characters')
const events = z.array(z.enum(hookEvents, 'Unknown event')).min(1, 'Choose at least one event').max(hookEvents.length, 'Choose each once')
const byId = z.strictObject({ id: z.uuid() })
const tags = ['Webhooks']
/** Ordered by delivery id, which grows over time. */
const deliveryPages = cursorPages(z.uuid(), { limit: 30, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This webhook does not exist' } } as const
const refused = {
  ADDRESS_REFUSED: { status: 422, message: 'This address cannot be used', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const withSecret = z.object({ secret: z.string(), webhook })

export const webhooksContract = {
  list: oc.route({ method: 'GET', path: '/webhooks', tags, summary: 'All webhooks' }).output(z.array(webhook)),
  create: oc
    .route({
      method: 'POST',
      path: '/webhooks',
      tags,
      summary: 'Create a webhook; its secret is returned only in this response',
    })
    .input(z.strictObject({ url, events }))
    .errors({ ...refused, TOO_MANY: { status: 409, message: `There may be ${maxWebhooks} webhooks at most` } })
    .output(withSecret),
  change: oc
    .route({ method: 'PATCH', path: '/webhooks/{id}', tags, summary: 'Change a webhook’s address or events, or turn it on or off' })
    .input(byId.extend({ url, events, isOn: z.boolean('Must be true or false') }))
    .errors({ ...notFound, ...refused })
    .output(webhook),
  rotateSecret: oc
    .route({
      method: 'POST',
      path: '/webhooks/{id}/secret',
      tags,
      summary: 'Create a new signing secret; the previous one is no longer used',
    })
    .input(byId)
    .errors(notFound)
    .output(withSecret),
  delete: oc.route({ method: 'DELETE', path: '/webhooks/{id}', tags, summary: 'Delete a webhook' }).input(byId).errors(notFound),
  test: oc
    .route({ method: 'POST', path: '/webhooks/{id}/test', tags, summary: 'Send a test message' })
    .input(byId)
    .errors({ ...notFound, SWITCHED_OFF: { status: 409, message: 'Turn it on first' } }),
  deliveries: oc
    .route({ method: 'GET', path: '/webhooks/{id}/deliveries', tags, summary: 'Deliveries of the last 30 days, newest first' })
    .input(byId.extend(deliveryPages.input))
    .errors(notFound)
    .output(deliveryPages.output(delivery)),
  retry: oc
    .route({ method: 'POST', path: '/webhook-deliveries/{id}/retry', tags, summary: 'Send it again now' })
    .input(byId)
    .errors({ NOT_FOUND: { status: 404, message: 'This delivery does not exist' } })
    .output(delivery),
}
