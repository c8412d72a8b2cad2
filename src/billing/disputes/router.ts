import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { disputesContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(disputesContract).$context<Context>()

export const disputesRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listDisputes(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.findDispute(context, input.id), errors)),
  save: os.save.handler(async ({ input, context, errors }) => unwrap(await service.saveStatement(context, input), errors)),
  accept: os.accept.handler(async ({ input, context, errors }) => unwrap(await service.giveUpDispute(context, input.id), errors)),
  submit: os.submit.handler(async ({ input, context, errors }) => unwrap(await service.submitDispute(context, input), errors)),
})
