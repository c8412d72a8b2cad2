import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { savedViewsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(savedViewsContract).$context<Context>()

export const savedViewsRouter = os.router({
  list: os.list.handler(({ context }) => service.listViews(context)),
  get: os.get.handler(async ({ input, context, errors }) => {
    const view = await service.getView(context, input.id)
    if (!view) throw errors.NOT_FOUND()
    return view
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const view = await service.createView(context, input)
    if (view === 'too-many') throw errors.TOO_MANY()
    return view
  }),
  update: os.update.handler(async ({ input: { id, ...change }, context, errors }) => {
    const view = await service.updateView(context, id, change)
    if (!view) throw errors.NOT_FOUND()
    if (view === 'not-yours') throw errors.NOT_YOURS()
    return view
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    const result = await service.deleteView(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-yours') throw errors.NOT_YOURS()
  }),
  restore: os.restore.handler(async ({ input, context, errors }) => {
    const view = await service.restoreView(context, input.id)
    if (!view) throw errors.NOT_FOUND()
    if (view === 'not-yours') throw errors.NOT_YOURS()
    if (view === 'too-many') throw errors.TOO_MANY()
    return view
  }),
})
