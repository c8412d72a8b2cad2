import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { reportsContract } from './contract.ts'
import * as saved from './saved.ts'
import { listRecords, reportChoices, runReport } from './service.ts'

const os = implement(reportsContract).$context<Context>()

export const reportsRouter = os.router({
  choices: os.choices.handler(({ context }) => reportChoices(context)),
  run: os.run.handler(({ input, context }) => runReport(context, input)),
  records: os.records.handler(async ({ input, context, errors }) => {
    const page = await listRecords(context, input)
    if (page === 'clinical') throw errors.CLINICAL()
    return page
  }),
  saved: os.saved.handler(({ context }) => saved.listSaved(context)),
  save: os.save.handler(async ({ input, context, errors }) => {
    const report = await saved.saveReport(context, input)
    if (report === 'too-many') throw errors.TOO_MANY()
    return report
  }),
  change: os.change.handler(async ({ input: { id, ...change }, context, errors }) => {
    const report = await saved.changeSaved(context, id, change)
    if (!report) throw errors.NOT_FOUND()
    if (report === 'not-yours') throw errors.NOT_YOURS()
    return report
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    const result = await saved.deleteSaved(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-yours') throw errors.NOT_YOURS()
  }),
  restore: os.restore.handler(async ({ input, context, errors }) => {
    const report = await saved.restoreSaved(context, input.id)
    if (!report) throw errors.NOT_FOUND()
    if (report === 'not-yours') throw errors.NOT_YOURS()
    if (report === 'too-many') throw errors.TOO_MANY()
    return report
  }),
  schedule: os.schedule.handler(async ({ input: { id, ...schedule }, context, errors }) => {
    const report = await saved.scheduleSaved(context, id, schedule)
    if (!report) throw errors.NOT_FOUND()
    if (report === 'not-yours') throw errors.NOT_YOURS()
    if ('fields' in report) throw errors.INVALID_REFERENCE({ data: report })
    return report
  }),
  unschedule: os.unschedule.handler(async ({ input, context, errors }) => {
    const report = await saved.unscheduleSaved(context, input.id)
    if (!report) throw errors.NOT_FOUND()
    if (report === 'not-yours') throw errors.NOT_YOURS()
    return report
  }),
})
