import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { adverseEventsContract } from './contract.ts'
import { eventsOf, listEvents, viewEvent } from './read.ts'
import { changeEvent, fileReport, recordEvent, startNarrative, undoFiling, voidEvent } from './record.ts'

const os = implement(adverseEventsContract).$context<Context>()

export const adverseEventsRouter = os.router({
  list: os.list.handler(({ input, context }) => listEvents(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await eventsOf(context, input.contactId), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await viewEvent(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await recordEvent(context, input), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await changeEvent(context, input), errors)),
  startNarrative: os.startNarrative.handler(async ({ input, context, errors }) => unwrap(await startNarrative(context, input.id), errors)),
  file: os.file.handler(async ({ input, context, errors }) => unwrap(await fileReport(context, input), errors)),
  undoFiling: os.undoFiling.handler(async ({ input, context, errors }) => unwrap(await undoFiling(context, input), errors)),
  void: os.void.handler(async ({ input, context, errors }) => unwrap(await voidEvent(context, input), errors)),
})
