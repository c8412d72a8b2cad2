import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { visitFeesContract } from './contract.ts'
import { chargeFee, moneyOfVisit, waiveFee } from './service.ts'

const os = implement(visitFeesContract).$context<Context>()

export const visitFeesRouter = os.router({
  ofAppointment: os.ofAppointment.handler(
    async ({ input, context, errors }) => unwrap(await moneyOfVisit(context, input.id), errors).money,
  ),
  charge: os.charge.handler(async ({ input, context, errors }) => unwrap(await chargeFee(context, input), errors).money),
  waive: os.waive.handler(async ({ input, context, errors }) => unwrap(await waiveFee(context, input), errors).money),
})
