import { implement, ORPCError } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { interactionsContract } from './contract.ts'
import { visibleTypes } from './policy.ts'
import * as service from './service.ts'

const os = implement(interactionsContract).$context<Context>()

export const interactionsRouter = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const page = await service.listInteractions(context, input.contactId, input.cursor, input.limit)
    if (!page) throw errors.NOT_FOUND()
    return page
  }),
  create: os.create.handler(async ({ input: { contactId, ...entry }, context, errors }) => {
    if (!visibleTypes(context.actor).includes(entry.type)) throw new ORPCError('FORBIDDEN')
    const row = await service.logInteraction(context, contactId, entry)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
})
