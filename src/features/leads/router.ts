import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { leadsContract } from './contract.ts'
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
})
