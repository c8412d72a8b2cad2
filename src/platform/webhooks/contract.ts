import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages } from '../../shared/page-lists.ts'
import { hookEvents } from './rules.ts'

/** More would be someone's mistake. */
export const maxWebhooks = 20

const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  createdAt: z.date(),
  /** Since when nothing is sent; null while it is on. */
  disabledAt: z.date().nullable(),
  /** It was switched off because it had taken nothing for days. */
  gaveUp: z.boolean(),
  /** Since when nothing was taken; null when the last was. */
  failingSince: z.date().nullable(),
  deliveredAt: z.date().nullable(),
  /** Deliveries that wait for their turn or their next try. */
  waiting: z.number().int(),
})
export type Webhook = z.output<typeof webhook>

const deliveryStates = ['waiting', 'delivered', 'failed'] as const
const delivery = z.object({
  id: z.uuid(),
  event: z.string(),
  /** Of the patient, appointment, ... */
  subjectId: z.uuid(),
  createdAt: z.date(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  nextAttemptAt: z.date().nullable(),
  triedAt: z.date().nullable(),
  /** What the last try was answered; null when there was no answer. */
  status: z.number().int().nullable(),
  /** Why the last try failed. */
  failure: z.enum(['address', 'status', 'timeout', 'network']).nullable(),
})

const url = z.string('Type an address').trim().min(1, 'Type an address').max(2_000, 'Use at most 2,000 characters')
const events = z.array(z.enum(hookEvents, 'Unknown event')).min(1, 'Choose at least one event').max(hookEvents.length, 'Choose each once')
const byId = z.strictObject({ id: z.uuid() })
const tags = ['Webhooks']
/** By the ids of deliveries, which grow with time. */
const deliveryPages = cursorPages(z.uuid(), { limit: 30, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This webhook does not exist' } } as const
const refused = {
  ADDRESS_REFUSED: { status: 422, message: 'This address cannot be used', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const withSecret = z.object({ secret: z.string(), webhook })

export const webhooksContract = {
  list: oc.route({ method: 'GET', path: '/webhooks', tags, summary: 'The addresses that are told what happens' }).output(z.array(webhook)),
  create: oc
    .route({
      method: 'POST',
      path: '/webhooks',
      tags,
      summary: 'Tell an address what happens; its secret is in this answer, and nowhere else',
    })
    .input(z.strictObject({ url, events }))
    .errors({ ...refused, TOO_MANY: { status: 409, message: `There may be ${maxWebhooks} webhooks at most` } })
    .output(withSecret),
  change: oc
    .route({ method: 'PATCH', path: '/webhooks/{id}', tags, summary: 'Change its address or its events, or switch it on or off' })
    .input(byId.extend({ url, events, isOn: z.boolean('Say yes or no') }))
    .errors({ ...notFound, ...refused })
    .output(webhook),
  rotateSecret: oc
    .route({ method: 'POST', path: '/webhooks/{id}/secret', tags, summary: 'Make a new secret; the earlier one signs nothing more' })
    .input(byId)
    .errors(notFound)
    .output(withSecret),
  delete: oc.route({ method: 'DELETE', path: '/webhooks/{id}', tags, summary: 'Tell it nothing more' }).input(byId).errors(notFound),
  test: oc
    .route({ method: 'POST', path: '/webhooks/{id}/test', tags, summary: 'Send it a message that means nothing' })
    .input(byId)
    .errors({ ...notFound, SWITCHED_OFF: { status: 409, message: 'Switch it on first' } }),
  deliveries: oc
    .route({ method: 'GET', path: '/webhooks/{id}/deliveries', tags, summary: 'What was sent to it in the last 30 days, newest first' })
    .input(byId.extend(deliveryPages.input))
    .errors(notFound)
    .output(deliveryPages.output(delivery)),
  retry: oc
    .route({ method: 'POST', path: '/webhook-deliveries/{id}/retry', tags, summary: 'Send it again now' })
    .input(byId)
    .errors({ NOT_FOUND: { status: 404, message: 'This delivery does not exist' } })
    .output(delivery),
}
