import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { staff } from '../../kernel/scope.ts'
import { connectionsContract } from './contract.ts'
import { listConnections, testConnection } from './service.ts'

const os = implement(connectionsContract).$context<Context>()

export const connectionsRouter = os.router({
  list: os.list.handler(({ context }) => listConnections(context)),
  test: os.test.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('connectionTest', `${staff(context).id} ${input.system}`))) throw errors.TOO_MANY_REQUESTS()
    const outcome = await testConnection(context, input.system)
    if (!outcome) throw errors.NOT_SET_UP()
    return outcome
  }),
})
