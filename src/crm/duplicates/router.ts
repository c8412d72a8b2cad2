import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { duplicatesContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(duplicatesContract).$context<Context>()

export const duplicatesRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listPairs(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => {
    const alike = await service.likeContact(context, input.contactId)
    if (!alike) throw errors.NOT_FOUND()
    return alike
  }),
  similar: os.similar.handler(({ input, context }) => service.similarTo(context, input)),
  dismiss: os.dismiss.handler(async ({ input, context, errors }) => {
    if (!(await service.setDismissed(context, input.firstId, input.secondId, true))) throw errors.NOT_FOUND()
  }),
  restore: os.restore.handler(async ({ input, context, errors }) => {
    if (!(await service.setDismissed(context, input.firstId, input.secondId, false))) throw errors.NOT_FOUND()
  }),
})
