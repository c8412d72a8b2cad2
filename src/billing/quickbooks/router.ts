import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { quickbooksContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(quickbooksContract).$context<Context>()

export const quickbooksRouter = os.router({
  status: os.status.handler(({ context }) => service.statusOf(context)),
  connect: os.connect.handler(async ({ context, errors }) => unwrap(await service.connect(context), errors)),
  finish: os.finish.handler(async ({ input, context, errors }) => unwrap(await service.finish(context, input), errors)),
  disconnect: os.disconnect.handler(({ context }) => service.disconnect(context)),
  refresh: os.refresh.handler(async ({ context, errors }) => unwrap(await service.refresh(context), errors)),
})
