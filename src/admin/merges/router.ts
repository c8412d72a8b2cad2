import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { mergesContract } from './contract.ts'
import { mergeContacts, listMerges, previewMerge } from './service.ts'
import { undoMerge } from './undo.ts'

const os = implement(mergesContract).$context<Context>()

export const mergesRouter = os.router({
  mergePreview: os.mergePreview.handler(async ({ input, context, errors }) =>
    unwrap(await previewMerge(context, input.id, input.sourceId), errors),
  ),
  merge: os.merge.handler(async ({ input, context, errors }) => unwrap(await mergeContacts(context, input), errors)),
  merges: os.merges.handler(async ({ input, context, errors }) => unwrap(await listMerges(context, input.id), errors)),
  undoMerge: os.undoMerge.handler(async ({ input, context, errors }) => unwrap(await undoMerge(context, input), errors)),
})
