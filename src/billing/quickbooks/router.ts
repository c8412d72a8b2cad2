import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { quickbooksContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(quickbooksContract).$context<Context>()

export const quickbooksRouter = os.router({
  status: os.status.handler(({ context }) => service.statusOf(context)),
  connect: os.connect.handler(async ({ context, errors }) => {
    const url = await service.connect(context)
    if (!url) throw errors.NOT_SET_UP()
    return { url }
  }),
  finish: os.finish.handler(async ({ input, context, errors }) => {
    const ended = await service.finish(context, input)
    if (ended === 'off') throw errors.NOT_SET_UP()
    if (ended === 'state') throw errors.STATE()
    if (ended === 'refused') throw errors.CODE()
    if (ended === 'away') throw errors.AWAY()
    return service.statusOf(context)
  }),
  disconnect: os.disconnect.handler(async ({ context }) => {
    await service.disconnect(context)
    return service.statusOf(context)
  }),
  refresh: os.refresh.handler(async ({ context, errors }) => {
    const ended = await service.refresh(context)
    if (ended === 'reconnect') throw errors.RECONNECT()
    if (ended === 'away') throw errors.AWAY()
    return service.statusOf(context)
  }),
})
