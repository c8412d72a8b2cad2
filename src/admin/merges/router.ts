import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { contactMessages } from '../../crm/contacts/contract.ts'
import { mergesContract } from './contract.ts'
import { mergeContacts, mergesInto, previewMerge } from './service.ts'
import { undoMerge } from './undo.ts'

const os = implement(mergesContract).$context<Context>()
const itself = { data: { fields: { sourceId: contactMessages.sameContact } } }

export const mergesRouter = os.router({
  mergePreview: os.mergePreview.handler(async ({ input, context, errors }) => {
    if (input.id === input.sourceId) throw errors.SAME_CONTACT(itself)
    const preview = await previewMerge(context, input.id, input.sourceId)
    if (!preview) throw errors.NOT_FOUND()
    return preview
  }),
  merge: os.merge.handler(async ({ input, context, errors }) => {
    if (input.id === input.sourceId) throw errors.SAME_CONTACT(itself)
    const result = await mergeContacts(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'changed') throw errors.CHANGED_SINCE()
    return result
  }),
  merges: os.merges.handler(async ({ input, context, errors }) => {
    const merges = await mergesInto(context, input.id)
    if (!merges) throw errors.NOT_FOUND()
    return merges
  }),
  undoMerge: os.undoMerge.handler(async ({ input, context, errors }) => {
    const result = await undoMerge(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'undone') throw errors.ALREADY_UNDONE()
    if (result === 'expired') throw errors.UNDO_EXPIRED()
    if ('intoId' in result) throw errors.TARGET_MERGED({ data: result })
    if ('conflicts' in result) throw errors.UNDO_CONFLICTS({ data: result })
    return result
  }),
})
