import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { reportsContract } from './contract.ts'
import * as saved from './saved.ts'
import { listRecords, reportChoices, viewReport } from './service.ts'

const os = implement(reportsContract).$context<Context>()

export const reportsRouter = os.router({
  choices: os.choices.handler(({ context }) => reportChoices(context)),
  run: os.run.handler(async ({ input, context, errors }) => unwrap(await viewReport(context, input), errors)),
  records: os.records.handler(async ({ input, context, errors }) => unwrap(await listRecords(context, input), errors)),
  saved: os.saved.handler(({ context }) => saved.listSaved(context)),
  save: os.save.handler(async ({ input, context, errors }) => unwrap(await saved.saveReport(context, input), errors)),
  change: os.change.handler(async ({ input: { id, ...change }, context, errors }) =>
    unwrap(await saved.changeSaved(context, id, change), errors),
  ),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await saved.deleteSaved(context, input.id), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => unwrap(await saved.restoreSaved(context, input.id), errors)),
  schedule: os.schedule.handler(async ({ input: { id, ...schedule }, context, errors }) =>
    unwrap(await saved.scheduleSaved(context, id, schedule), errors),
  ),
  unschedule: os.unschedule.handler(async ({ input, context, errors }) => unwrap(await saved.unscheduleSaved(context, input.id), errors)),
})
