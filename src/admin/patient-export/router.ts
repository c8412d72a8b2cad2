import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { wholeRecordsContract } from './contract.ts'
import { getOutline } from './service.ts'

const os = implement(wholeRecordsContract).$context<Context>()

export const wholeRecordsRouter = os.router({
  outline: os.outline.handler(async ({ input, context, errors }) => unwrap(await getOutline(context, input.contactId), errors)),
})
