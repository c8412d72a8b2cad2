import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { proceduresContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(proceduresContract).$context<Context>()

export const proceduresRouter = os.router({
  list: os.list.handler(({ context }) => service.listProcedures(context.db)),
  create: os.create.handler(async ({ input, context, errors }) => {
    const row = await service.createProcedure(context, input)
    if (!row) throw errors.NAME_TAKEN()
    return row
  }),
  update: os.update.handler(async ({ input, context, errors }) => {
    const row = await service.changeProcedure(context, input)
    if (!row) throw errors.NOT_FOUND()
    if (row === 'taken') throw errors.NAME_TAKEN()
    if (row === 'changed') throw errors.CHANGED_MEANWHILE()
    return row
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    if (!(await service.deleteProcedure(context, input.id))) throw errors.NOT_FOUND()
  }),
})
