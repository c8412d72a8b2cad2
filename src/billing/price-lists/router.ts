import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { priceListsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(priceListsContract).$context<Context>()

export const priceListsRouter = os.router({
  priceList: os.priceList.handler(async ({ input, context, errors }) => {
    const list = await service.getPriceList(context.db, input.id)
    if (!list) throw errors.NOT_FOUND()
    return list
  }),
  setPriceList: os.setPriceList.handler(async ({ input, context, errors }) => {
    const result = await service.setPriceList(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'changed') throw errors.CHANGED_MEANWHILE()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result
  }),
})
