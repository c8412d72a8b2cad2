import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { retentionContract } from './contract.ts'
import { problemOfDays } from './rules.ts'
import { countRule, listRules, setRule } from './service.ts'

const os = implement(retentionContract).$context<Context>()

export const retentionRouter = os.router({
  list: os.list.handler(({ context }) => listRules(context)),
  set: os.set.handler(({ context, input, errors }) => {
    const problem = problemOfDays(input.kind, input.days)
    if (problem) throw errors[problem.code]({ data: { fields: { days: problem.message } } })
    return setRule(context, input)
  }),
  count: os.count.handler(async ({ context, input, errors }) => {
    const problem = problemOfDays(input.kind, input.days)
    if (problem) throw errors[problem.code]({ data: { fields: { days: problem.message } } })
    return { count: await countRule(context, input.kind, input.days) }
  }),
})
