import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { formsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(formsContract).$context<Context>()

export const formsRouter = os.router({
  templates: os.templates.handler(({ context }) => service.listTemplates(context)),
  template: os.template.handler(async ({ input, context, errors }) => unwrap(await service.getTemplate(context, input.id), errors)),
  createTemplate: os.createTemplate.handler(async ({ input, context, errors }) =>
    unwrap(await service.createTemplate(context, input), errors),
  ),
  saveDraft: os.saveDraft.handler(async ({ input, context, errors }) => unwrap(await service.saveDraft(context, input), errors)),
  publish: os.publish.handler(async ({ input, context, errors }) => unwrap(await service.publishDraft(context, input), errors)),
  setActive: os.setActive.handler(async ({ input, context, errors }) => unwrap(await service.setTemplateActive(context, input), errors)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.listOfContact(context, input.contactId), errors),
  ),
  send: os.send.handler(async ({ input, context, errors }) => unwrap(await service.sendForm(context, input), errors)),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => unwrap(await service.withdrawForm(context, input.id), errors)),
  review: os.review.handler(async ({ input, context, errors }) => unwrap(await service.getReview(context, input.id), errors)),
  decide: os.decide.handler(async ({ input, context, errors }) => unwrap(await service.decideReview(context, input), errors)),
  endReview: os.endReview.handler(async ({ input, context, errors }) => unwrap(await service.endReview(context, input.id), errors)),
  toReview: os.toReview.handler(({ context }) => service.listToReview(context)),
  resend: os.resend.handler(async ({ input, context, errors }) => unwrap(await service.resendForm(context, input.id), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getForm(context, input.id), errors)),
})
