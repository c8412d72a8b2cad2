import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { accessContract } from './contract.ts'
import { formatMatrix } from './service.ts'

const os = implement(accessContract).$context<Context>()

export const accessRouter = os.router({
  roles: os.roles.handler(() => formatMatrix()),
})
