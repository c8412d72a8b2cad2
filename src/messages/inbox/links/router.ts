import { implement } from '@orpc/server'
import { unwrap } from '../../../kernel/refusal.ts'
import type { Context } from '../../../platform/context.ts'
import { textLinksContract } from '../link-contract.ts'
import { openTextLink, renewTextLink, viewTextLink } from './open.ts'

const os = implement(textLinksContract).$context<Context>()

export const textLinksRouter = os.router({
  view: os.view.handler(async ({ input, context, errors }) => unwrap(await viewTextLink(context, context.attempts, input.code), errors)),
  open: os.open.handler(async ({ input, context, errors }) => unwrap(await openTextLink(context, context.attempts, input.code), errors)),
  renew: os.renew.handler(async ({ input, context, errors }) => unwrap(await renewTextLink(context, context.attempts, input), errors)),
})
