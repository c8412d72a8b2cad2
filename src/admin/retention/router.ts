import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { retentionContract } from './contract.ts'
import { countRule, listRules, setRule } from './service.ts'

const os = implement(retentionContract).$context<Context>()

export const retentionRouter = os.router({
  list: os.list.handler(({ context }) => listRules(context)),
  set: os.set.handler(async ({ context, input, errors }) => unwrap(await setRule(context, input), errors)),
  count: os.count.handler(async ({ context, input, errors }) => ({
    count: unwrap(await countRule(context, input.kind, input.days), errors),
  })),
})
