import { implement } from '@orpc/server'
import { unwrap } from '../kernel/refusal.ts'
import type { Context } from '../platform/context.ts'
import { documentsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(documentsContract).$context<Context>()

export const documentsRouter = os.router({
  list: os.list.handler(async ({ input, context, errors }) => unwrap(await service.listDocuments(context, input.contactId), errors)),
  waiting: os.waiting.handler(({ input, context }) => service.listWaiting(context, input)),
  waitingCount: os.waitingCount.handler(async ({ context }) => ({ count: await service.countWaiting(context) })),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.updateDocument(context, input), errors)),
  review: os.review.handler(async ({ input, context, errors }) => unwrap(await service.reviewDocument(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await service.deleteDocument(context, input.id), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => unwrap(await service.restoreDocument(context, input.id), errors)),
})
