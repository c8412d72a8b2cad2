import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { prepaidContract } from './contract.ts'
import * as desk from './desk.ts'

const os = implement(prepaidContract).$context<Context>()

export const prepaidRouter = os.router({
  sellable: os.sellable.handler(({ context }) => desk.sellable(context)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await desk.listPrepaid(context, input.contactId), errors)),
  giftCard: os.giftCard.handler(async ({ input, context, errors }) => unwrap(await desk.findGiftCard(context, input.code), errors)),
  giveCredit: os.giveCredit.handler(async ({ input, context, errors }) => unwrap(await desk.giveCredit(context, input), errors)),
  payCharge: os.payCharge.handler(async ({ input, context, errors }) => unwrap(await desk.payCharge(context, input), errors)),
  takeSession: os.takeSession.handler(async ({ input, context, errors }) => unwrap(await desk.takeSession(context, input), errors)),
  undoSession: os.undoSession.handler(async ({ input, context, errors }) => unwrap(await desk.undoSession(context, input), errors)),
})
