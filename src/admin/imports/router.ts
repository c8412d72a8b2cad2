import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { importsContract } from './contract.ts'
import { getFiles } from './files.ts'
import * as service from './service.ts'

const os = implement(importsContract).$context<Context>()

export const importsRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listImports(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getImport(context, input.id), errors)),
  files: os.files.handler(async ({ input, context, errors }) => unwrap(await getFiles(context, input.id), errors)),
  check: os.check.handler(async ({ input, context, errors }) =>
    unwrap(await service.checkImport(context, input.id, input.columns), errors),
  ),
  findings: os.findings.handler(async ({ input, context, errors }) => unwrap(await service.listFindings(context, input), errors)),
  run: os.run.handler(async ({ input, context, errors }) => unwrap(await service.runImport(context, input.id, input.onMatch), errors)),
  cancel: os.cancel.handler(async ({ input, context, errors }) => unwrap(await service.cancelImport(context, input.id), errors)),
  undo: os.undo.handler(async ({ input, context, errors }) => unwrap(await service.undoImport(context, input.id), errors)),
  discard: os.discard.handler(async ({ input, context, errors }) => void unwrap(await service.discardImport(context, input.id), errors)),
})
