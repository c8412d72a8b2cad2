import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { payoutsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(payoutsContract).$context<Context>()

export const payoutsRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listPayouts(context, input)),
  overdue: os.overdue.handler(({ context }) => service.overduePayments(context)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.findPayout(context, input.id), errors)),
  transactions: os.transactions.handler(async ({ input, context, errors }) =>
    unwrap(await service.listTransactions(context, input), errors),
  ),
  check: os.check.handler(async ({ input, context, errors }) => unwrap(await service.checkPayout(context, input.id), errors)),
  accept: os.accept.handler(async ({ input, context, errors }) => unwrap(await service.acceptPayout(context, input), errors)),
  post: os.post.handler(async ({ input, context, errors }) => unwrap(await service.postPayout(context, input.id), errors)),
})
