import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { leadsContract } from './contract.ts'
import * as queue from './queue.ts'
import { listLeadEntries, retryLeadEntry } from './service.ts'

const os = implement(leadsContract).$context<Context>()

export const leadsRouter = os.router({
  entries: os.entries.handler(({ input, context }) => listLeadEntries(context, input)),
  retry: os.retry.handler(async ({ input, context, errors }) => {
    const entry = await retryLeadEntry(context, input.id)
    if (!entry) throw errors.NOT_FOUND()
    if (entry === 'not-failed') throw errors.NOT_FAILED()
    return entry
  }),
  queue: os.queue.handler(({ input, context }) => queue.listQueue(context, input)),
  queueCounts: os.queueCounts.handler(({ context }) => queue.countQueue(context.db)),
  complete: os.complete.handler(async ({ input: { id, ...lead }, context, errors }) => {
    const completed = await queue.completeLead(context, id, lead)
    if (!completed) throw errors.NOT_FOUND()
    if (completed === 'not-waiting') throw errors.NOT_WAITING()
    return completed
  }),
  discard: os.discard.handler(async ({ input, context, errors }) => {
    const entry = await queue.discardLead(context, input.id)
    if (!entry) throw errors.NOT_FOUND()
    if (entry === 'not-waiting') throw errors.NOT_WAITING()
    return entry
  }),
  restore: os.restore.handler(async ({ input, context, errors }) => {
    const entry = await queue.restoreLead(context, input.id)
    if (!entry) throw errors.NOT_FOUND()
    if (entry === 'not-discarded') throw errors.NOT_DISCARDED()
    return entry
  }),
  fields: os.fields.handler(async ({ input, context, errors }) => {
    const fields = await queue.sourceFields(context, input.sourceId)
    if (!fields) throw errors.NOT_FOUND()
    return fields
  }),
  mapFields: os.mapFields.handler(async ({ input, context, errors }) => {
    const mapped = await queue.mapFields(context, input.sourceId, input.fieldMap)
    if (!mapped) throw errors.NOT_FOUND()
    if ('invalid' in mapped) throw errors.INVALID_REFERENCE({ data: { fields: mapped.invalid } })
    return mapped
  }),
})
