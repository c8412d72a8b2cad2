import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { savedViewsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(savedViewsContract).$context<Context>()

export const savedViewsRouter = os.router({
  list: os.list.handler(({ context }) => service.listViews(context)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getView(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createView(context, input), errors)),
  update: os.update.handler(async ({ input: { id, ...change }, context, errors }) =>
    unwrap(await service.updateView(context, id, change), errors),
  ),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await service.deleteView(context, input.id), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => unwrap(await service.restoreView(context, input.id), errors)),
})
