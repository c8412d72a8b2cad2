import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { emailTemplatesContract } from './contract.ts'
import { previewTemplate } from './preview.ts'
import * as service from './service.ts'

const os = implement(emailTemplatesContract).$context<Context>()

/** Spec 8's words. */
const missing = (id: string) => ({ message: `Template with ID ${id} not found` })

export const emailTemplatesRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listTemplates(context, input.category)),
  get: os.get.handler(async ({ input, context, errors }) => {
    const template = await service.getTemplate(context, input.id)
    if (!template) throw errors.NOT_FOUND(missing(input.id))
    return template
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const template = await service.createTemplate(context, input)
    if (template === 'taken') throw errors.NAME_TAKEN()
    if (template === 'too-many') throw errors.TOO_MANY()
    return template
  }),
  update: os.update.handler(async ({ input, context, errors }) => {
    const template = await service.updateTemplate(context, input)
    if (!template) throw errors.NOT_FOUND(missing(input.id))
    if (template === 'taken') throw errors.NAME_TAKEN()
    if ('conflict' in template) throw errors.CONFLICT({ data: { current: template.conflict } })
    return template
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    if (!(await service.deleteTemplate(context, input.id))) throw errors.NOT_FOUND(missing(input.id))
  }),
  duplicate: os.duplicate.handler(async ({ input, context, errors }) => {
    const template = await service.duplicateTemplate(context, input.id)
    if (!template) throw errors.NOT_FOUND(missing(input.id))
    if (template === 'too-many') throw errors.TOO_MANY()
    return template
  }),
  preview: os.preview.handler(async ({ input, context, errors }) => {
    const preview = await previewTemplate(context, input)
    if (!preview) throw errors.NO_CONTACT()
    return preview
  }),
})
