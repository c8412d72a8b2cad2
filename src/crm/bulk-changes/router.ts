import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { bulkChangesContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(bulkChangesContract).$context<Context>()

export const bulkChangesRouter = os.router({
  start: os.start.handler(async ({ input, context, errors }) =>
    unwrap(await service.startBulkChange(context, input.selection, input.change), errors),
  ),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getBulkChange(context, input.id), errors)),
  current: os.current.handler(({ context }) => service.listCurrent(context)),
  deletions: os.deletions.handler(({ context }) => service.listDeletions(context)),
  cancel: os.cancel.handler(async ({ input, context, errors }) => unwrap(await service.cancelBulkChange(context, input.id), errors)),
  undo: os.undo.handler(async ({ input, context, errors }) => unwrap(await service.undoBulkChange(context, input.id), errors)),
})
