import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import { staff } from '../../kernel/scope.ts'
import type { Context } from '../../platform/context.ts'
import { signaturesContract } from './contract.ts'
import { listSignatures, saveSignature } from './service.ts'

const os = implement(signaturesContract).$context<Context>()

export const signaturesRouter = os.router({
  mine: os.mine.handler(({ context }) => listSignatures(context.db, staff(context).id)),
  save: os.save.handler(async ({ input, context, errors }) => unwrap(await saveSignature(context, input), errors)),
})
