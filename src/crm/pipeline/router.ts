import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { countByStage } from '../contacts/service.ts'
import { pipelineContract } from './contract.ts'
import { addStage, changeStage, mergeStage, moveStage } from './change.ts'
import { listStages } from './service.ts'

const os = implement(pipelineContract).$context<Context>()

export const pipelineRouter = os.router({
  stages: os.stages.handler(({ context }) => listStages(context.db)),
  stageCounts: os.stageCounts.handler(({ context }) => countByStage(context.db)),
  addStage: os.addStage.handler(async ({ input, context, errors }) => unwrap(await addStage(context, input), errors)),
  changeStage: os.changeStage.handler(async ({ input, context, errors }) => unwrap(await changeStage(context, input), errors)),
  moveStage: os.moveStage.handler(async ({ input, context, errors }) => unwrap(await moveStage(context, input), errors)),
  mergeStage: os.mergeStage.handler(async ({ input, context, errors }) => unwrap(await mergeStage(context, input), errors)),
})
