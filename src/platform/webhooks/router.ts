import { implement } from '@orpc/server'
import type { Context } from '../context.ts'
import { webhooksContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(webhooksContract).$context<Context>()

export const webhooksRouter = os.router({
  list: os.list.handler(({ context }) => service.listWebhooks(context)),
  create: os.create.handler(async ({ context, input, errors }) => {
    const made = await service.createWebhook(context, input)
    if (made === 'too-many') throw errors.TOO_MANY()
    if ('refused' in made) throw errors.ADDRESS_REFUSED({ data: { fields: { url: made.refused } } })
    return made
  }),
  change: os.change.handler(async ({ context, input, errors }) => {
    const webhook = await service.changeWebhook(context, input)
    if (!webhook) throw errors.NOT_FOUND()
    if ('refused' in webhook) throw errors.ADDRESS_REFUSED({ data: { fields: { url: webhook.refused } } })
    return webhook
  }),
  rotateSecret: os.rotateSecret.handler(async ({ context, input, errors }) => {
    const made = await service.rotateSecret(context, input.id)
    if (!made) throw errors.NOT_FOUND()
    return made
  }),
  delete: os.delete.handler(async ({ context, input, errors }) => {
    if (!(await service.deleteWebhook(context, input.id))) throw errors.NOT_FOUND()
  }),
  test: os.test.handler(async ({ context, input, errors }) => {
    const outcome = await service.sendTest(context, input.id)
    if (!outcome) throw errors.NOT_FOUND()
    if (outcome === 'off') throw errors.SWITCHED_OFF()
  }),
  deliveries: os.deliveries.handler(async ({ context, input, errors }) => {
    const page = await service.listDeliveries(context, input)
    if (!page) throw errors.NOT_FOUND()
    return page
  }),
  retry: os.retry.handler(async ({ context, input, errors }) => {
    const delivery = await service.retryDelivery(context, input.id)
    if (!delivery) throw errors.NOT_FOUND()
    return delivery
  }),
})
