import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { healthCardsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(healthCardsContract).$context<Context>()

export const healthCardsRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getHealthCard(context, input.contactId), errors)),
  number: os.number.handler(async ({ input, context, errors }) => unwrap(await service.readNumber(context, input.contactId), errors)),
  set: os.set.handler(async ({ input, context, errors }) => unwrap(await service.setHealthCard(context, input), errors)),
  remove: os.remove.handler(async ({ input, context, errors }) => unwrap(await service.removeHealthCard(context, input.contactId), errors)),
})
