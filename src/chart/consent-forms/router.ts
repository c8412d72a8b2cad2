import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { consentFormsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(consentFormsContract).$context<Context>()

export const consentFormsRouter = os.router({
  templates: os.templates.handler(({ context }) => service.listTemplates(context)),
  template: os.template.handler(async ({ input, context, errors }) => unwrap(await service.getTemplate(context, input.id), errors)),
  createTemplate: os.createTemplate.handler(async ({ input, context, errors }) =>
    unwrap(await service.createTemplate(context, input.starter), errors),
  ),
  saveDraft: os.saveDraft.handler(async ({ input, context, errors }) => unwrap(await service.saveDraft(context, input), errors)),
  publish: os.publish.handler(async ({ input, context, errors }) => unwrap(await service.publishDraft(context, input), errors)),
  impact: os.impact.handler(async ({ input, context, errors }) => unwrap(await service.impactOf(context, input), errors)),
  setActive: os.setActive.handler(async ({ input, context, errors }) => unwrap(await service.setTemplateActive(context, input), errors)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.listOfContact(context, input.contactId), errors),
  ),
  ofSurgery: os.ofSurgery.handler(async ({ input, context, errors }) => unwrap(await service.listOfSurgery(context, input.id), errors)),
  send: os.send.handler(async ({ input, context, errors }) => unwrap(await service.sendConsent(context, input), errors)),
  sendRequired: os.sendRequired.handler(async ({ input, context, errors }) => unwrap(await service.sendRequired(context, input), errors)),
  recordPaper: os.recordPaper.handler(async ({ input, context, errors }) => unwrap(await service.recordPaper(context, input), errors)),
  cancel: os.cancel.handler(async ({ input, context, errors }) => unwrap(await service.cancelConsent(context, input.id), errors)),
  resend: os.resend.handler(async ({ input, context, errors }) => unwrap(await service.resendConsent(context, input.id), errors)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getConsent(context, input.id), errors)),
  countersign: os.countersign.handler(async ({ input, context, errors }) =>
    unwrap(await service.countersignConsent(context, input.id), errors),
  ),
  withdraw: os.withdraw.handler(async ({ input, context, errors }) => unwrap(await service.recordWithdrawal(context, input), errors)),
})
