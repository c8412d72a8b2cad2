import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { auditContract } from './contract.ts'
import { getEntry, listEntries } from './read.ts'
import { listViews } from './access-log.ts'
import { recordChange } from '../../platform/audit/service.ts'

const os = implement(auditContract).$context<Context>()

export const auditRouter = os.router({
  list: os.list.handler(({ input, context }) => listEntries(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await getEntry(context, input.id), errors)),
  seen: os.seen.handler(async ({ input, context, errors }) => unwrap(await listViews(context, input), errors)),
  printed: os.printed.handler(async ({ input, context }) => {
    await recordChange(context.db, context, { action: 'printed', ...input })
  }),
})
