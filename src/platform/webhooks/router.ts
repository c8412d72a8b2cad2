import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'
import { webhooksContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(webhooksContract).$context<Context>()

export const webhooksRouter = os.router({
  list: os.list.handler(({ context }) => service.listWebhooks(context)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createWebhook(context, input), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await service.changeWebhook(context, input), errors)),
  rotateSecret: os.rotateSecret.handler(async ({ input, context, errors }) =>
    unwrap(await service.rotateSecret(context, input.id), errors),
  ),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await service.deleteWebhook(context, input.id), errors)),
  test: os.test.handler(async ({ input, context, errors }) => void unwrap(await service.sendTest(context, input.id), errors)),
  deliveries: os.deliveries.handler(async ({ input, context, errors }) => unwrap(await service.listDeliveries(context, input), errors)),
  retry: os.retry.handler(async ({ input, context, errors }) => unwrap(await service.retryDelivery(context, input.id), errors)),
})
