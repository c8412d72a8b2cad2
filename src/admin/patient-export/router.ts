import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { wholeRecordsContract } from './contract.ts'
import { outlineOf } from './service.ts'

const os = implement(wholeRecordsContract).$context<Context>()

export const wholeRecordsRouter = os.router({
  outline: os.outline.handler(async ({ input, context, errors }) => {
    const outline = await outlineOf(context, input.contactId)
    if (!outline) throw errors.NOT_FOUND()
    return outline
  }),
})
