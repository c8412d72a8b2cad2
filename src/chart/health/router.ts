import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { healthContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(healthContract).$context<Context>()

export const healthRouter = os.router({
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getHealth(context, input.contactId), errors)),
  addEntry: os.addEntry.handler(async ({ input, context, errors }) => unwrap(await service.addEntry(context, input), errors)),
  changeEntry: os.changeEntry.handler(async ({ input, context, errors }) => unwrap(await service.changeEntry(context, input), errors)),
  reviewed: os.reviewed.handler(async ({ input, context, errors }) => unwrap(await service.reviewSection(context, input), errors)),
  addMeasurement: os.addMeasurement.handler(async ({ input, context, errors }) =>
    unwrap(await service.addMeasurement(context, input), errors),
  ),
})
