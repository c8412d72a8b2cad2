import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { countByStage } from '../contacts/service.ts'
import { pipelineContract } from './contract.ts'
import { addStage, changeStage, mergeStage, moveStage } from './change.ts'
import { listStages } from './service.ts'

const os = implement(pipelineContract).$context<Context>()

export const pipelineRouter = os.router({
  stages: os.stages.handler(({ context }) => listStages(context.db)),
  stageCounts: os.stageCounts.handler(({ context }) => countByStage(context.db)),
  addStage: os.addStage.handler(async ({ input, context, errors }) => {
    const stage = await addStage(context, input)
    if (stage === 'taken') throw errors.NAME_TAKEN()
    if (stage === 'too-many') throw errors.TOO_MANY()
    return stage
  }),
  changeStage: os.changeStage.handler(async ({ input, context, errors }) => {
    const stage = await changeStage(context, input)
    if (!stage) throw errors.NOT_FOUND()
    if (stage === 'taken') throw errors.NAME_TAKEN()
    if (stage === 'needed') throw errors.NEEDED()
    if (stage === 'changed') throw errors.CHANGED_MEANWHILE()
    return stage
  }),
  moveStage: os.moveStage.handler(async ({ input, context, errors }) => {
    const stages = await moveStage(context, input)
    if (!stages) throw errors.NOT_FOUND()
    return stages
  }),
  mergeStage: os.mergeStage.handler(async ({ input, context, errors }) => {
    const merged = await mergeStage(context, input)
    if (!merged) throw errors.NOT_FOUND()
    if (merged === 'needed') throw errors.NEEDED()
    if (merged === 'not-into') throw errors.NOT_INTO()
    if (merged === 'moving') throw errors.MOVING()
    return merged
  }),
})
