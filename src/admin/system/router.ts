import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { systemContract } from './contract.ts'
import { readStatus } from './service.ts'

const os = implement(systemContract).$context<Context>()

export const systemRouter = os.router({
  status: os.status.handler(({ context }) => readStatus(context)),
})
