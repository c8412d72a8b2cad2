import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { askSenderDomain } from '../../platform/mail/service.ts'
import { checkCampaign } from './check.ts'
import { campaignsContract } from './contract.ts'
import { previewCampaign, testCampaign } from './preview.ts'
import * as read from './read.ts'
import { resultsOf } from './results.ts'
import * as service from './service.ts'

const os = implement(campaignsContract).$context<Context>()

export const campaignsRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listCampaigns(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.getCampaign(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createCampaign(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.updateCampaign(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    unwrap(await service.deleteCampaign(context, input.id), errors)
  }),
  check: os.check.handler(async ({ input, context, errors }) => unwrap(await checkCampaign(context, input.id), errors)),
  senderDomain: os.senderDomain.handler(({ context }) => askSenderDomain(context.env)),
  preview: os.preview.handler(async ({ input, context, errors }) => unwrap(await previewCampaign(context, input), errors)),
  test: os.test.handler(async ({ input, context, errors }) => unwrap(await testCampaign(context, input), errors)),
  start: os.start.handler(async ({ input, context, errors }) => unwrap(await service.startCampaign(context, input), errors)),
  pause: os.pause.handler(async ({ input, context, errors }) => unwrap(await service.pauseCampaign(context, input.id), errors)),
  resume: os.resume.handler(async ({ input, context, errors }) => unwrap(await service.resumeCampaign(context, input.id), errors)),
  stop: os.stop.handler(async ({ input, context, errors }) => unwrap(await service.stopCampaign(context, input.id), errors)),
  chooseWinner: os.chooseWinner.handler(async ({ input, context, errors }) =>
    unwrap(await service.chooseWinner(context, input.id, input.variant), errors),
  ),
  results: os.results.handler(async ({ input, context, errors }) => unwrap(await resultsOf(context, input.id), errors)),
})
