import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { calendarFeedsContract } from './contract.ts'
import { makeFeed, myFeed, revokeFeed } from './service.ts'

const os = implement(calendarFeedsContract).$context<Context>()

export const calendarFeedsRouter = os.router({
  mine: os.mine.handler(({ context }) => myFeed(context)),
  make: os.make.handler(({ context }) => makeFeed(context)),
  revoke: os.revoke.handler(({ context }) => revokeFeed(context)),
})
