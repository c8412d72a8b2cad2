import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { importsContract } from './contract.ts'
import { filesOf } from './files.ts'
import * as service from './service.ts'

const os = implement(importsContract).$context<Context>()

export const importsRouter = os.router({
  list: os.list.handler(({ context }) => service.listImports(context)),
  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await service.getImport(context, input.id)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
  files: os.files.handler(async ({ input, context, errors }) => {
    const sent = await filesOf(context, input.id)
    if (!sent) throw errors.NOT_FOUND()
    return sent
  }),
  check: os.check.handler(async ({ input, context, errors }) => {
    const result = await service.checkImport(context, input.id, input.columns)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'wrong-moment') throw errors.WRONG_MOMENT()
    if ('invalid' in result) throw errors.INVALID_MAPPING({ data: { fields: result.invalid } })
    return result
  }),
  findings: os.findings.handler(async ({ input, context, errors }) => {
    const page = await service.findingsOf(context, input)
    if (!page) throw errors.NOT_FOUND()
    return page
  }),
  run: os.run.handler(async ({ input, context, errors }) => {
    const result = await service.runImport(context, input.id, input.onMatch)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw errors.FORBIDDEN()
    if (result === 'invalid-choice') throw errors.INVALID_CHOICE()
    if (result === 'wrong-moment') throw errors.WRONG_MOMENT()
    return result
  }),
  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const result = await service.cancelImport(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
  undo: os.undo.handler(async ({ input, context, errors }) => {
    const result = await service.undoImport(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw errors.FORBIDDEN()
    if (result === 'wrong-moment') throw errors.WRONG_MOMENT()
    return result
  }),
  discard: os.discard.handler(async ({ input, context, errors }) => {
    const result = await service.discardImport(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'wrong-moment') throw errors.WRONG_MOMENT()
  }),
})
