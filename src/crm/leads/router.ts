import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { leadsContract } from './contract.ts'
import * as queue from './queue.ts'
import { listLeadEntries, retryLeadEntry } from './service.ts'

const os = implement(leadsContract).$context<Context>()

export const leadsRouter = os.router({
  entries: os.entries.handler(({ input, context }) => listLeadEntries(context, input)),
  retry: os.retry.handler(async ({ input, context, errors }) => unwrap(await retryLeadEntry(context, input.id), errors)),
  queue: os.queue.handler(({ input, context }) => queue.listQueue(context, input)),
  queueCounts: os.queueCounts.handler(({ context }) => queue.countQueue(context.db)),
  complete: os.complete.handler(async ({ input: { id, ...lead }, context, errors }) =>
    unwrap(await queue.completeLead(context, id, lead), errors),
  ),
  discard: os.discard.handler(async ({ input, context, errors }) => unwrap(await queue.discardLead(context, input.id), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => unwrap(await queue.restoreLead(context, input.id), errors)),
  fields: os.fields.handler(async ({ input, context, errors }) => unwrap(await queue.sourceFields(context, input.sourceId), errors)),
  mapFields: os.mapFields.handler(async ({ input, context, errors }) =>
    unwrap(await queue.mapFields(context, input.sourceId, input.fieldMap), errors),
  ),
})
