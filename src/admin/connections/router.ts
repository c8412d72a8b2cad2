import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { connectionsContract } from './contract.ts'
import { listConnections, testConnection } from './service.ts'

const os = implement(connectionsContract).$context<Context>()

export const connectionsRouter = os.router({
  list: os.list.handler(({ context }) => listConnections(context)),
  test: os.test.handler(async ({ input, context, errors }) => unwrap(await testConnection(context, input.system), errors)),
})
