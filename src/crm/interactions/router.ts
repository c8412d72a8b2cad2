import { implement, ORPCError } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { interactionsContract } from './contract.ts'
import { visibleTypes } from './policy.ts'
import * as pins from './pins.ts'
import * as service from './service.ts'

const os = implement(interactionsContract).$context<Context>()

export const interactionsRouter = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const page = await service.listInteractions(context, input)
    if (!page) throw errors.NOT_FOUND()
    return page
  }),
  create: os.create.handler(async ({ input: { contactId, ...entry }, context, errors }) => {
    if (!visibleTypes(context.actor).includes(entry.type)) throw new ORPCError('FORBIDDEN')
    const row = await service.logInteraction(context, contactId, entry)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
  pinned: os.pinned.handler(async ({ input, context, errors }) => {
    const rows = await pins.pinnedInteractions(context, input.contactId)
    if (!rows) throw errors.NOT_FOUND()
    return rows
  }),
  pin: os.pin.handler(async ({ input, context, errors }) => {
    const outcome = await pins.setPinned(context, { ...input, pinned: true })
    if (outcome === 'missing') throw errors.NOT_FOUND()
    if (outcome === 'not-a-note') throw errors.NOT_A_NOTE()
    if (outcome === 'too-many') throw errors.TOO_MANY_PINS()
  }),
  unpin: os.unpin.handler(async ({ input, context, errors }) => {
    const outcome = await pins.setPinned(context, { ...input, pinned: false })
    if (outcome === 'missing') throw errors.NOT_FOUND()
    if (outcome === 'not-a-note') throw errors.NOT_A_NOTE()
  }),
})
