import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { referralsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(referralsContract).$context<Context>()

export const referralsRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.referralsOf(context, input.contactId), errors),
  ),
  setReferrer: os.setReferrer.handler(async ({ input, context, errors }) => unwrap(await service.setReferrer(context, input), errors)),
  removeReferrer: os.removeReferrer.handler(async ({ input, context, errors }) =>
    unwrap(await service.removeReferrer(context, input.contactId), errors),
  ),
})
