import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { collectionsContract } from './contract.ts'
import { payLinkOf, proposeReminder, remind } from './reminders.ts'
import * as service from './service.ts'

const os = implement(collectionsContract).$context<Context>()

export const collectionsRouter = os.router({
  outstanding: os.outstanding.handler(({ input, context }) => service.listOutstanding(context, input)),
  outstandingCount: os.outstandingCount.handler(({ context }) => service.countOutstanding(context)),
  account: os.account.handler(async ({ input, context, errors }) => unwrap(await service.getAccount(context, input.contactId), errors)),
  addCharge: os.addCharge.handler(async ({ input, context, errors }) => unwrap(await service.addCharge(context, input), errors)),
  setPlan: os.setPlan.handler(async ({ input, context, errors }) => unwrap(await service.setPlan(context, input), errors)),
  apply: os.apply.handler(async ({ input, context, errors }) => unwrap(await service.applyPayment(context, input), errors)),
  applyAll: os.applyAll.handler(async ({ input, context, errors }) => unwrap(await service.applyAll(context, input), errors)),
  release: os.release.handler(async ({ input, context, errors }) => unwrap(await service.releasePayment(context, input), errors)),
  writeOff: os.writeOff.handler(async ({ input, context, errors }) => unwrap(await service.writeOff(context, input), errors)),
  void: os.void.handler(async ({ input, context, errors }) => unwrap(await service.voidCharge(context, input), errors)),
  promise: os.promise.handler(async ({ input, context, errors }) => unwrap(await service.promise(context, input), errors)),
  hold: os.hold.handler(async ({ input, context, errors }) => unwrap(await service.hold(context, input), errors)),
  payLink: os.payLink.handler(async ({ input, context, errors }) => unwrap(await payLinkOf(context, input.contactId), errors)),
  reminder: os.reminder.handler(async ({ input, context, errors }) => unwrap(await proposeReminder(context, input.contactId), errors)),
  remind: os.remind.handler(async ({ input, context, errors }) => unwrap(await remind(context, input), errors)),
})
