import { implement } from '@orpc/server'
import { unwrap } from '../../../kernel/refusal.ts'
import type { Context } from '../../../platform/context.ts'
import { appointmentLinksContract } from '../link-contract.ts'
import { cancelByLink, confirmByLink, moveByLink, openingsByLink, requestByLink, viewLink } from './links.ts'

const os = implement(appointmentLinksContract).$context<Context>()

export const appointmentLinksRouter = os.router({
  view: os.view.handler(async ({ input, context, errors }) => unwrap(await viewLink(context, context.attempts, input.token), errors)),
  confirm: os.confirm.handler(async ({ input, context, errors }) =>
    unwrap(await confirmByLink(context, context.attempts, input.token), errors),
  ),
  cancel: os.cancel.handler(async ({ input: { token, ...given }, context, errors }) =>
    unwrap(await cancelByLink(context, context.attempts, token, given), errors),
  ),
  openings: os.openings.handler(async ({ input: { token, ...days }, context, errors }) =>
    unwrap(await openingsByLink(context, context.attempts, token, days), errors),
  ),
  move: os.move.handler(async ({ input, context, errors }) =>
    unwrap(await moveByLink(context, context.attempts, input.token, input.startsAt), errors),
  ),
  askForAnother: os.askForAnother.handler(async ({ input: { token, ...request }, context, errors }) =>
    unwrap(await requestByLink(context, context.attempts, token, request), errors),
  ),
})
