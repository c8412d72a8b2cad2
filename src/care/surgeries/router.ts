import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { changeSurgery, setStatus } from './change.ts'
import { addItem, changeItem, removeItem } from './checklist.ts'
import { surgeriesContract } from './contract.ts'
import { createSurgery } from './create.ts'
import * as read from './read.ts'
import * as templates from './templates.ts'

const os = implement(surgeriesContract).$context<Context>()

export const surgeriesRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listSurgeries(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => {
    const surgeries = await read.surgeriesOf(context, input.contactId)
    if (!surgeries) throw errors.NOT_FOUND()
    return surgeries
  }),
  get: os.get.handler(async ({ input, context, errors }) => {
    const surgery = await read.viewSurgery(context, input.id)
    if (!surgery) throw errors.NOT_FOUND()
    return surgery
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const result = await createSurgery(context, input)
    if (result === 'key-reused') throw errors.KEY_REUSED()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
  change: os.change.handler(async ({ input, context, errors }) => {
    const result = await changeSurgery(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-holding') throw errors.NOT_HOLDING()
    if (result === 'too-early') throw errors.TOO_EARLY()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
  setStatus: os.setStatus.handler(async ({ input, context, errors }) => {
    const result = await setStatus(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-possible') throw errors.NOT_POSSIBLE()
    if (result === 'too-early') throw errors.TOO_EARLY()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
  addItem: os.addItem.handler(async ({ input, context, errors }) => {
    const result = await addItem(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'exists') throw errors.EXISTS()
    return result
  }),
  changeItem: os.changeItem.handler(async ({ input, context, errors }) => {
    const result = await changeItem(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw errors.FORBIDDEN()
    if ('automatic' in result) throw errors.AUTOMATIC({ data: { reason: result.automatic } })
    return result
  }),
  removeItem: os.removeItem.handler(async ({ input, context, errors }) => {
    const result = await removeItem(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw errors.FORBIDDEN()
    if (result === 'fixed') throw errors.FIXED()
    return result
  }),
  templates: os.templates.handler(({ context }) => templates.listTemplates(context.db)),
  addTemplate: os.addTemplate.handler(async ({ input, context, errors }) => {
    const result = await templates.addTemplate(context, input)
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result
  }),
  changeTemplate: os.changeTemplate.handler(async ({ input, context, errors }) => {
    const result = await templates.changeTemplate(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'fixed') throw errors.FIXED()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result
  }),
  deleteTemplate: os.deleteTemplate.handler(async ({ input, context, errors }) => {
    const result = await templates.deleteTemplate(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'fixed') throw errors.FIXED()
  }),
})
