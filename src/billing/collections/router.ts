import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { collectionMessages, collectionsContract } from './contract.ts'
import { proposeReminder, remind } from './reminders.ts'
import * as service from './service.ts'

const os = implement(collectionsContract).$context<Context>()

const tooMuch = (openCents: number) => ({ data: { openCents, fields: { amountCents: collectionMessages.tooMuch } } })

export const collectionsRouter = os.router({
  owing: os.owing.handler(({ input, context }) => service.listOutstanding(context, input)),
  outstandingCount: os.outstandingCount.handler(({ context }) => service.countOutstanding(context)),
  account: os.account.handler(async ({ input, context, errors }) => {
    const account = await service.getAccount(context, input.contactId)
    if (!account) throw errors.NOT_FOUND()
    return account
  }),
  addCharge: os.addCharge.handler(async ({ input, context, errors }) => {
    const account = await service.addCharge(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    return account
  }),
  setPlan: os.setPlan.handler(async ({ input, context, errors }) => {
    const account = await service.setPlan(context, input)
    if (account === 'plan') throw errors.PLAN({ data: { fields: { plan: collectionMessages.plan } } })
    if (!account) throw errors.NOT_FOUND()
    return account
  }),
  apply: os.apply.handler(async ({ input, context, errors }) => {
    const account = await service.applyPayment(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    if (account === 'no-receipt') throw errors.NO_RECEIPT()
    if ('openCents' in account) throw errors.TOO_MUCH(tooMuch(account.openCents))
    return account
  }),
  applyAll: os.applyAll.handler(async ({ input, context, errors }) => {
    const account = await service.applyAll(context, input)
    if (!account) throw errors.NOT_FOUND()
    if (account === 'no-receipt') throw errors.NO_RECEIPT()
    return account
  }),
  release: os.release.handler(async ({ input, context, errors }) => {
    const account = await service.releasePayment(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    if ('openCents' in account) throw errors.TOO_MUCH(tooMuch(account.openCents))
    return account
  }),
  writeOff: os.writeOff.handler(async ({ input, context, errors }) => {
    const account = await service.writeOff(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    if ('openCents' in account) throw errors.TOO_MUCH(tooMuch(account.openCents))
    return account
  }),
  void: os.void.handler(async ({ input, context, errors }) => {
    const account = await service.voidCharge(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    if (account === 'credited') throw errors.CREDITED()
    return account
  }),
  promise: os.promise.handler(async ({ input, context, errors }) => {
    const account = await service.promise(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (account === 'past') throw errors.PAST({ data: { fields: { dueOn: collectionMessages.past } } })
    if (account && 'openCents' in account) throw errors.TOO_MUCH(tooMuch(account.openCents))
    if (!account) throw errors.NOT_FOUND()
    return account
  }),
  hold: os.hold.handler(async ({ input, context, errors }) => {
    const account = await service.hold(context, input)
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    return account
  }),
  reminder: os.reminder.handler(async ({ input, context, errors }) => {
    const proposed = await proposeReminder(context, input.contactId)
    if (proposed === 'nothing-owed') throw errors.NOTHING_OWED()
    if (!proposed) throw errors.NOT_FOUND()
    return proposed
  }),
  remind: os.remind.handler(async ({ input, context, errors }) => {
    const account = await remind(context, input)
    if (account === 'nothing-owed') throw errors.NOTHING_OWED()
    if (account === 'no-email') throw errors.NO_EMAIL()
    if (account === 'marketing') throw errors.MARKETING_TEMPLATE()
    if (account === 'stranger') throw errors.INVALID_REFERENCE({ data: { fields: { email: collectionMessages.stranger } } })
    if (account === 'key-reused') throw errors.KEY_REUSED()
    if (!account) throw errors.NOT_FOUND()
    if ('blocked' in account) throw errors.ADDRESS_BLOCKED({ data: { fields: { email: account.blocked } } })
    return account
  }),
})
