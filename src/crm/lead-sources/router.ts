import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { leadSourcesContract } from './contract.ts'
import { deleteLeadSource, moveLeadSource } from './move-and-delete.ts'
import * as service from './service.ts'
import { listSpend, setSpend } from './spend.ts'

const os = implement(leadSourcesContract).$context<Context>()

export const leadSourcesRouter = os.router({
  list: os.list.handler(({ context }) => service.listLeadSources(context.db)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getLeadSource(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createLeadSource(context, input), errors)),
  update: os.update.handler(async ({ input: { id, ...input }, context, errors }) =>
    unwrap(await service.updateLeadSource(context, id, input), errors),
  ),
  rotateKey: os.rotateKey.handler(async ({ input, context, errors }) => {
    const webhookKey = unwrap(await service.rotateWebhookKey(context, input.id), errors)
    context.events.notifyLocal({ topic: 'vocabulary', id: input.id }) // the old key stops at once
    return { webhookKey }
  }),
  move: os.move.handler(async ({ input, context, errors }) => unwrap(await moveLeadSource(context, input), errors)),
  spend: os.spend.handler(({ input, context }) => listSpend(context.db, input.year)),
  setSpend: os.setSpend.handler(async ({ input, context, errors }) => unwrap(await setSpend(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await deleteLeadSource(context, input.id), errors)),
})
