import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import * as change from './change.ts'
import { implantsContract } from './contract.ts'
import { open } from './open.ts'
import { viewDevices, viewImplants } from './read.ts'

const os = implement(implantsContract).$context<Context>()

export const implantsRouter = os.router({
  ofSurgery: os.ofSurgery.handler(async ({ input, context, errors }) => unwrap(await viewDevices(context, input.id), errors)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await viewImplants(context, input.contactId), errors)),
  open: os.open.handler(async ({ input, context, errors }) => unwrap(await open(context, input), errors)),
  use: os.use.handler(async ({ input, context, errors }) => unwrap(await change.use(context, input), errors)),
  waste: os.waste.handler(async ({ input, context, errors }) => unwrap(await change.waste(context, input), errors)),
  return: os.return.handler(async ({ input, context, errors }) => unwrap(await change.returnToStock(context, input), errors)),
  correct: os.correct.handler(async ({ input, context, errors }) => unwrap(await change.correct(context, input), errors)),
  explant: os.explant.handler(async ({ input, context, errors }) => unwrap(await change.explant(context, input), errors)),
})
