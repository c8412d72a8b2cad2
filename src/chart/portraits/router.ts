import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { portraitsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(portraitsContract).$context<Context>()

export const portraitsRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getPortrait(context, input.contactId), errors)),
  set: os.set.handler(async ({ input, context, errors }) => unwrap(await service.setPortrait(context, input), errors)),
  remove: os.remove.handler(async ({ input, context, errors }) => unwrap(await service.removePortrait(context, input.contactId), errors)),
})
