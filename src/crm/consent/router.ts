import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { consentContract } from './contract.ts'
import { subscriberOf } from './link.ts'
import * as service from './service.ts'

const os = implement(consentContract).$context<Context>()

export const consentRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getConsent(context, input.id), errors)),
  record: os.record.handler(async ({ input, context, errors }) => unwrap(await service.recordConsent(context, input), errors)),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => unwrap(await service.withdrawConsent(context, input), errors)),
  mailing: os.mailing.handler(async ({ input, context, errors }) => {
    const { address } = unwrap(subscriberOf(context.env, input.token), errors)
    return { address, isUnsubscribed: await service.isUnsubscribed(context.db, address) }
  }),
})
