import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { bulkChangesContract } from './contract.ts'
import * as service from './service.ts'

/** Says whether the role or the API key is what forbids it. */
const forbidden = ({ actor }: Context) => (actor?.apiKey ? { message: 'This API key may not do this' } : {})

const os = implement(bulkChangesContract).$context<Context>()

export const bulkChangesRouter = os.router({
  start: os.start.handler(async ({ input, context, errors }) => {
    const result = await service.startBulkChange(context, input.selection, input.change)
    if (result === 'forbidden') throw errors.FORBIDDEN(forbidden(context))
    if (result === 'owes') throw errors.OWES()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result.started
  }),
  get: os.get.handler(async ({ input, context, errors }) => {
    const progress = await service.getBulkChange(context, input.id)
    if (!progress) throw errors.NOT_FOUND()
    return progress
  }),
  current: os.current.handler(({ context }) => service.listCurrent(context)),
  deletions: os.deletions.handler(({ context }) => service.listDeletions(context)),
  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const progress = await service.cancelBulkChange(context, input.id)
    if (!progress) throw errors.NOT_FOUND()
    return progress
  }),
  undo: os.undo.handler(async ({ input, context, errors }) => {
    const progress = await service.undoBulkChange(context, input.id)
    if (!progress) throw errors.NOT_FOUND()
    if (progress === 'running') throw errors.STILL_RUNNING()
    if (progress === 'forbidden') throw errors.FORBIDDEN(forbidden(context))
    if (progress === 'origin-deleted') throw errors.UNDO_EXPIRED({ message: 'What they were moved from has been deleted' })
    if (progress === 'expired') throw errors.UNDO_EXPIRED()
    return progress
  }),
})
