import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { emailTemplatesContract } from './contract.ts'
import { previewTemplate } from './preview.ts'
import * as service from './service.ts'

const os = implement(emailTemplatesContract).$context<Context>()

export const emailTemplatesRouter = os.router({
  list: os.list.handler(({ input, context }) => service.listTemplates(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getTemplate(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createTemplate(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.updateTemplate(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => unwrap(await service.deleteTemplate(context, input.id), errors)),
  duplicate: os.duplicate.handler(async ({ input, context, errors }) => unwrap(await service.duplicateTemplate(context, input.id), errors)),
  preview: os.preview.handler(async ({ input, context, errors }) => unwrap(await previewTemplate(context, input), errors)),
})
