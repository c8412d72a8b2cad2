import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { calendarFeedsContract } from './contract.ts'
import { createFeed, myFeed, revokeFeed } from './service.ts'

const os = implement(calendarFeedsContract).$context<Context>()

export const calendarFeedsRouter = os.router({
  mine: os.mine.handler(({ context }) => myFeed(context)),
  create: os.create.handler(({ context }) => createFeed(context)),
  revoke: os.revoke.handler(({ context }) => revokeFeed(context)),
})
