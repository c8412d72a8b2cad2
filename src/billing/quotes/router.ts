import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { acceptQuote } from './accept.ts'
import { quotesContract } from './contract.ts'
import { declineQuote, withdrawQuote } from './decline-withdraw.ts'
import * as financing from './financing.ts'
import { quotedItems } from './quoted-items.ts'
import * as read from './read.ts'
import { sendQuote } from './send.ts'
import { changeQuote, createQuote, reviseQuote } from './write.ts'

const os = implement(quotesContract).$context<Context>()

export const quotesRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await read.quotesOf(context, input.contactId), errors)),
  choices: os.choices.handler(async ({ input, context, errors }) => unwrap(await read.choicesFor(context, input.contactId), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.viewQuote(context, input.id), errors)),
  quotedItems: os.quotedItems.handler(async ({ input, context, errors }) => unwrap(await quotedItems(context, input.chargeId), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await createQuote(context, input), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await changeQuote(context, input), errors)),
  revise: os.revise.handler(async ({ input, context, errors }) => unwrap(await reviseQuote(context, input), errors)),
  send: os.send.handler(async ({ input, context, errors }) => unwrap(await sendQuote(context, input), errors)),
  accept: os.accept.handler(async ({ input, context, errors }) => unwrap(await acceptQuote(context, input), errors)),
  applyForFinancing: os.applyForFinancing.handler(async ({ input, context, errors }) =>
    unwrap(await financing.apply(context, input), errors),
  ),
  approveFinancing: os.approveFinancing.handler(async ({ input, context, errors }) =>
    unwrap(await financing.approve(context, input), errors),
  ),
  declineFinancing: os.declineFinancing.handler(async ({ input, context, errors }) =>
    unwrap(await financing.decline(context, input), errors),
  ),
  payFinancing: os.payFinancing.handler(async ({ input, context, errors }) => unwrap(await financing.pay(context, input), errors)),
  decline: os.decline.handler(async ({ input, context, errors }) => unwrap(await declineQuote(context, input), errors)),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => unwrap(await withdrawQuote(context, input), errors)),
})
