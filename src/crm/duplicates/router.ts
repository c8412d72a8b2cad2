import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { duplicatesContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(duplicatesContract).$context<Context>()

export const duplicatesRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listPairs(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.duplicatesOfContact(context, input.contactId), errors),
  ),
  similar: os.similar.handler(({ input, context }) => service.findSimilar(context, input)),
  dismiss: os.dismiss.handler(async ({ input, context, errors }) => void unwrap(await service.setDismissed(context, input, true), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => void unwrap(await service.setDismissed(context, input, false), errors)),
})
