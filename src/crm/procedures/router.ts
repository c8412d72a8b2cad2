import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { proceduresContract } from './contract.ts'
import { deleteProcedure, moveProcedure, usesOfProcedure } from './leaving.ts'
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
  uses: os.uses.handler(async ({ input, context, errors }) => {
    const uses = await usesOfProcedure(context, input.id)
    if (!uses) throw errors.NOT_FOUND()
    return uses
  }),
  move: os.move.handler(async ({ input, context, errors }) => {
    const result = await moveProcedure(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-into') throw errors.NOT_INTO()
    if (result === 'moving') throw errors.MOVING()
    if (result === 'moving-out') throw errors.ALREADY_MOVING()
    return result
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    const result = await deleteProcedure(context, input.id)
    if (result === 'not-found') throw errors.NOT_FOUND()
    if (result !== 'deleted') {
      const { patients: count } = result
      const message = `Used by ${count.toLocaleString('en-CA')} ${count === 1 ? 'patient' : 'patients'}. Move them to another procedure, or retire it: they keep it, and it is no longer offered.`
      throw errors.IN_USE({ message, data: { count } })
    }
  }),
})
