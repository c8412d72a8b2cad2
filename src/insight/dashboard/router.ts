import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { dashboardContract } from './contract.ts'
import { readDashboard } from './service.ts'

const os = implement(dashboardContract).$context<Context>()

export const dashboardRouter = os.router({
  get: os.get.handler(({ context }) => readDashboard(context)),
})
