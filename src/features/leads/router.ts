import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { leadsContract } from './contract.ts'
import { listLeadEntries } from './service.ts'

const os = implement(leadsContract).$context<Context>()

export const leadsRouter = os.router({
  entries: os.entries.handler(({ input, context }) => listLeadEntries(context, input)),
})
