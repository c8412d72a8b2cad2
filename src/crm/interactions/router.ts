import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { interactionsContract } from './contract.ts'
import * as pins from './pins.ts'
import * as service from './service.ts'
import { listInteractions } from './timeline.ts'

const os = implement(interactionsContract).$context<Context>()

export const interactionsRouter = os.router({
  list: os.list.handler(async ({ input, context, errors }) => unwrap(await listInteractions(context, input), errors)),
  create: os.create.handler(async ({ input: { contactId, ...entry }, context, errors }) =>
    unwrap(await service.logInteraction(context, contactId, entry), errors),
  ),
  pinned: os.pinned.handler(async ({ input, context, errors }) => unwrap(await pins.pinnedInteractions(context, input.contactId), errors)),
  pin: os.pin.handler(async ({ input, context, errors }) => void unwrap(await pins.pinNote(context, input), errors)),
  unpin: os.unpin.handler(async ({ input, context, errors }) => void unwrap(await pins.unpinNote(context, input), errors)),
})
