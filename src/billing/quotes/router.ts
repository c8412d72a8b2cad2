import { implement, ORPCError } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { acceptQuote } from './accept.ts'
import { quoteMessages, quotesContract } from './contract.ts'
import { declineQuote, withdrawQuote } from './end.ts'
import { quotedItems } from './quoted-items.ts'
import * as read from './read.ts'
import { sendQuote } from './send.ts'
import { changeQuote, createQuote, reviseQuote } from './write.ts'

const os = implement(quotesContract).$context<Context>()

export const quotesRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => {
    const quotes = await read.quotesOf(context, input.contactId)
    if (!quotes) throw errors.NOT_FOUND()
    return quotes
  }),
  choices: os.choices.handler(async ({ input, context, errors }) => {
    const choices = await read.choicesFor(context, input.contactId)
    if (!choices) throw errors.NOT_FOUND()
    return choices
  }),
  get: os.get.handler(async ({ input, context, errors }) => {
    const quote = await read.viewQuote(context, input.id)
    if (!quote) throw errors.NOT_FOUND()
    return quote
  }),
  quotedItems: os.quotedItems.handler(async ({ input, context, errors }) => {
    const items = await quotedItems(context, input.chargeId)
    if (!items) throw errors.NOT_FOUND()
    return items
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const result = await createQuote(context, input)
    if (result === 'key-reused') throw errors.KEY_REUSED()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('differs' in result) throw errors.TOTALS_DIFFER({ data: { fields: result.differs } })
    return result
  }),
  change: os.change.handler(async ({ input, context, errors }) => {
    const result = await changeQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-draft') throw errors.NOT_DRAFT()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('differs' in result) throw errors.TOTALS_DIFFER({ data: { fields: result.differs } })
    return result
  }),
  revise: os.revise.handler(async ({ input, context, errors }) => {
    const result = await reviseQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'key-reused') throw errors.KEY_REUSED()
    if (result === 'superseded') throw errors.SUPERSEDED()
    if (result === 'not-open') throw errors.NOT_OPEN()
    return result
  }),
  send: os.send.handler(async ({ input, context, errors }) => {
    const result = await sendQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (typeof result === 'string') throw errors[result]()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result
  }),
  accept: os.accept.handler(async ({ input, context, errors }) => {
    const result = await acceptQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'TOTALS_DIFFER') throw errors.TOTALS_DIFFER({ data: { fields: { totalCents: quoteMessages.totals } } })
    if (typeof result === 'string') throw errors[result]()
    return result
  }),
  decline: os.decline.handler(async ({ input, context, errors }) => {
    const result = await declineQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'superseded') throw errors.SUPERSEDED()
    if (result === 'not-open') throw errors.NOT_OPEN()
    return result
  }),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => {
    const result = await withdrawQuote(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw new ORPCError('FORBIDDEN')
    if (result === 'not-open') throw errors.NOT_OPEN()
    if (result === 'paid') throw errors.PAID()
    return result
  }),
})
