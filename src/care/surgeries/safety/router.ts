import { implement } from '@orpc/server'
import { unwrap } from '../../../kernel/refusal.ts'
import type { Context } from '../../../platform/context.ts'
import { safetyContract } from '../safety-contract.ts'
import { answerItem, confirmPhase, viewSafetyChecklist, waiveChecklist } from './checklist.ts'

const os = implement(safetyContract).$context<Context>()

export const safetyRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await viewSafetyChecklist(context, input.id), errors)),
  answer: os.answer.handler(async ({ input, context, errors }) => unwrap(await answerItem(context, input), errors)),
  confirm: os.confirm.handler(async ({ input, context, errors }) => unwrap(await confirmPhase(context, input), errors)),
  waive: os.waive.handler(async ({ input, context, errors }) => unwrap(await waiveChecklist(context, input), errors)),
})
