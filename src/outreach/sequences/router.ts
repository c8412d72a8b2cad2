import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { sequencesContract } from './contract.ts'
import * as service from './service.ts'
import { simulate } from './simulate.ts'

const os = implement(sequencesContract).$context<Context>()

export const sequencesRouter = os.router({
  list: os.list.handler(({ context }) => service.listSequences(context)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getSequence(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createSequence(context, input), errors)),
  createFromStarter: os.createFromStarter.handler(async ({ input, context, errors }) =>
    unwrap(await service.createFromStarter(context, input.starter), errors),
  ),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.updateSequence(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => unwrap(await service.deleteSequence(context, input.id), errors)),
  publish: os.publish.handler(async ({ input, context, errors }) => unwrap(await service.publishSequence(context, input), errors)),
  setOn: os.setOn.handler(async ({ input, context, errors }) => unwrap(await service.setSequenceOn(context, input), errors)),
  dryRun: os.dryRun.handler(async ({ input, context, errors }) => unwrap(await service.dryRun(context, input), errors)),
  simulate: os.simulate.handler(async ({ input, context, errors }) => unwrap(await simulate(context, input), errors)),
  runs: os.runs.handler(async ({ input, context, errors }) => unwrap(await service.listRuns(context, input), errors)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await service.runsOfContact(context, input.id), errors)),
  log: os.log.handler(async ({ input, context, errors }) => unwrap(await service.readLog(context, input.id), errors)),
  control: os.control.handler(async ({ input, context, errors }) => unwrap(await service.controlRun(context, input), errors)),
  closedDays: os.closedDays.handler(({ context }) => service.listClosedDays(context)),
  setClosedDays: os.setClosedDays.handler(({ input, context }) => service.setClosedDays(context, input.days)),
})
