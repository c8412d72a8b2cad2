import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { backupsContract } from './contract.ts'
import { readStatus } from './service.ts'

const os = implement(backupsContract).$context<Context>()

export const backupsRouter = os.router({
  status: os.status.handler(({ context }) => readStatus(context)),
})
