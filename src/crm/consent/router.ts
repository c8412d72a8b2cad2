import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { consentContract } from './contract.ts'
import { subscriberOf } from './link.ts'
import * as service from './service.ts'

const os = implement(consentContract).$context<Context>()

export const consentRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => {
    const state = await service.consentOf(context, input.id)
    if (!state) throw errors.NOT_FOUND()
    return state
  }),
  record: os.record.handler(async ({ input, context, errors }) => {
    const state = await service.recordConsent(context, input)
    if (!state) throw errors.NOT_FOUND()
    return state
  }),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => {
    const state = await service.withdrawConsent(context, input.id)
    if (!state) throw errors.NOT_FOUND()
    return state
  }),
  mailing: os.mailing.handler(async ({ input, context, errors }) => {
    const subscriber = subscriberOf(context.env, input.token)
    if (!subscriber) throw errors.NOT_FOUND()
    return { address: subscriber.address, isUnsubscribed: await service.isUnsubscribed(context.db, subscriber.address) }
  }),
})
