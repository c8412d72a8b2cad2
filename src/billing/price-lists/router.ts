import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { priceListsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(priceListsContract).$context<Context>()

export const priceListsRouter = os.router({
  priceList: os.priceList.handler(async ({ input, context, errors }) => unwrap(await service.getPriceList(context.db, input.id), errors)),
  setPriceList: os.setPriceList.handler(async ({ input, context, errors }) => unwrap(await service.setPriceList(context, input), errors)),
})
