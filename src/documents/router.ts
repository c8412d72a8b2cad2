import { implement } from '@orpc/server'
import type { Context } from '../platform/context.ts'
import { documentsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(documentsContract).$context<Context>()

export const documentsRouter = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const rows = await service.listDocuments(context, input.contactId)
    if (!rows) throw errors.NOT_FOUND()
    return rows
  }),
  waiting: os.waiting.handler(({ context }) => service.listWaiting(context)),
  waitingCount: os.waitingCount.handler(async ({ context }) => ({ count: await service.countWaiting(context) })),
  update: os.update.handler(async ({ input, context, errors }) => {
    const changed = await service.updateDocument(context, input)
    if (!changed) throw errors.NOT_FOUND()
    if ('conflict' in changed) throw errors.CONFLICT({ data: { current: changed.conflict } })
    return changed
  }),
  review: os.review.handler(async ({ input, context, errors }) => {
    const changed = await service.reviewDocument(context, input)
    if (!changed) throw errors.NOT_FOUND()
    if ('conflict' in changed) throw errors.CONFLICT({ data: { current: changed.conflict } })
    return changed
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    if (!(await service.deleteDocument(context, input.id))) throw errors.NOT_FOUND()
  }),
  restore: os.restore.handler(async ({ input, context, errors }) => {
    const row = await service.restoreDocument(context, input.id)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
})
