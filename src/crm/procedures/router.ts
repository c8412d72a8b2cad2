import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { proceduresContract } from './contract.ts'
import { getInstructions, setInstructions } from './instructions.ts'
import { deleteProcedure, moveProcedure, usesOfProcedure } from './retire.ts'
import * as service from './service.ts'

const os = implement(proceduresContract).$context<Context>()

export const proceduresRouter = os.router({
  list: os.list.handler(({ context }) => service.listProcedures(context.db)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createProcedure(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.changeProcedure(context, input), errors)),
  instructions: os.instructions.handler(async ({ input, context, errors }) => unwrap(await getInstructions(context.db, input.id), errors)),
  setInstructions: os.setInstructions.handler(async ({ input, context, errors }) => unwrap(await setInstructions(context, input), errors)),
  uses: os.uses.handler(async ({ input, context, errors }) => unwrap(await usesOfProcedure(context, input.id), errors)),
  move: os.move.handler(async ({ input, context, errors }) => unwrap(await moveProcedure(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await deleteProcedure(context, input.id), errors)),
})
