import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { pipelineContract } from './contract.ts'
import { listStages } from './service.ts'

const os = implement(pipelineContract).$context<Context>()

export const pipelineRouter = os.router({
  stages: os.stages.handler(({ context }) => listStages(context.db)),
})
